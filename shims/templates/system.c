/* What our programs ask of the kernel; each has a function run(), whose value is its exit code. With ALONE defined they stand on nothing:
 * no libc is linked, since what a libc does before main costs ten times what they do. Failures are negative error numbers.
 */
#include <asm/unistd.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <sys/stat.h>

/* A note stands in the first block of the file, where the other installations look for it. */
__attribute__((used, aligned(4), section(".note.gatepost"))) static const struct {
  unsigned name, content, kind;
  char words[32];
} note = {8, 24, 1, "GATEPOST" "@MARK@"};

#ifdef ALONE

#include <elf.h>
#include <unistd.h>

#if defined(__x86_64__)
static long ask(long number, long a, long b, long c, long d) {
  long answer;
  register long fourth __asm__("r10") = d;
  __asm__ volatile("syscall" : "=a"(answer) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth) : "rcx", "r11", "memory");
  return answer;
}
__asm__(".globl _start\n_start:\n  xor %ebp, %ebp\n  mov %rsp, %rdi\n  and $-16, %rsp\n  call started\n  hlt\n");
#elif defined(__aarch64__)
static long ask(long number, long a, long b, long c, long d) {
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
  return x0;
}
__asm__(".globl _start\n_start:\n  mov x29, #0\n  mov x0, sp\n  bl started\n  brk #0\n");
#else
#error "no way to ask this kernel"
#endif

/* The compiler may ask for these whatever it is told. */
void *memcpy(void *into, const void *from, size_t count) {
  for (size_t at = 0; at < count; at++) ((volatile char *)into)[at] = ((const char *)from)[at];
  return into;
}
void *memset(void *into, int byte, size_t count) {
  for (size_t at = 0; at < count; at++) ((volatile char *)into)[at] = (char)byte;
  return into;
}

static int look(const char *path, struct stat *found) { return (int)ask(__NR_newfstatat, AT_FDCWD, (long)path, (long)found, 0); }
static int look_at_link(const char *path) {
  struct stat found;
  return (int)ask(__NR_newfstatat, AT_FDCWD, (long)path, (long)&found, AT_SYMLINK_NOFOLLOW);
}
static int may_run(const char *path) { return !ask(__NR_faccessat, AT_FDCWD, (long)path, X_OK, 0); }
static int become(const char *path, char **words, char **environment) {
  return (int)ask(__NR_execve, (long)path, (long)words, (long)environment, 0);
}
static void say(const char *text, size_t length) { ask(__NR_write, 2, (long)text, (long)length, 0); }
static int ignored(int number) {
  unsigned long now[8] = {0};
  return !ask(__NR_rt_sigaction, number, 0, (long)now, 8) && now[0] == (unsigned long)SIG_IGN;
}

static int run(int count, char **words, char **environment, const char *file);

__attribute__((used)) static void started(long *stack) {
  int count = (int)stack[0];
  char **words = (char **)(stack + 1), **environment = words + count + 1, **end = environment;
  const char *file = count ? words[0] : "";
  while (*end) end++;
  for (Elf64_auxv_t *told = (Elf64_auxv_t *)(end + 1); told->a_type != AT_NULL; told++)
    if (told->a_type == AT_EXECFN) file = (const char *)told->a_un.a_val;
  ask(__NR_exit_group, run(count, words, environment, file), 0, 0, 0);
}

#else

#include <sys/auxv.h>
#include <unistd.h>

extern char **environ;

static long ask(long number, long a, long b, long c, long d) {
  long answer = syscall(number, a, b, c, d);
  return answer == -1 ? -errno : answer;
}
static int look(const char *path, struct stat *found) { return stat(path, found) ? -errno : 0; }
static int look_at_link(const char *path) {
  struct stat found;
  return lstat(path, &found) ? -errno : 0;
}
static int may_run(const char *path) { return !access(path, X_OK); }
static int become(const char *path, char **words, char **environment) {
  execve(path, words, environment);
  return -errno;
}
static void say(const char *text, size_t length) {
  if (write(2, text, length) < 0) return;
}
static int ignored(int number) {
  struct sigaction now;
  return !sigaction(number, NULL, &now) && now.sa_handler == SIG_IGN;
}

static int run(int count, char **words, char **environment, const char *file);

int main(int count, char **words) { return run(count, words, environ, (const char *)getauxval(AT_EXECFN)); }

#endif
