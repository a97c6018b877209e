/* Texts, times and the patterns of rules, as policy/rules/glob.py reads them. */

static size_t size(const char *text) {
  size_t count = 0;
  while (text[count]) count++;
  return count;
}

static int newer(const struct stat *one, const struct stat *other) {
  if (one->st_mtim.tv_sec != other->st_mtim.tv_sec) return one->st_mtim.tv_sec > other->st_mtim.tv_sec;
  return one->st_mtim.tv_nsec > other->st_mtim.tv_nsec;
}

/* Bytes of the character at the beginning: rules speak of characters. What is no UTF-8 is read byte by byte. */
static size_t step(const char *word, size_t left) {
  unsigned char lead = (unsigned char)*word;
  size_t count = lead < 0xc2 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 1;
  if (count > left) return 1;
  for (size_t at = 1; at < count; at++)
    if ((word[at] & 0xc0) != 0x80) return 1;
  return count;
}

/* How far the part of a pattern at `at` reaches that stands for exactly this character; NULL when it does not. Sets hold ASCII alone. */
static const char *one_of(const char *word, size_t length, const char *at) {
  char byte = length == 1 ? *word : 0;
  if (!*at || *at == '*') return NULL;
  if (*at == '?') return at + 1;
  if (*at == '[') {
    int negated = at[1] == '!' || at[1] == '^', held = 0;
    const char *end = at + 1 + negated;
    if (*end) end++; /* a bracket right at the beginning is a member */
    while (*end && *end != ']') end++;
    if (*end) {
      for (const char *member = at + 1 + negated, *last; member < end; member = last + 1) {
        last = member + 2 < end && member[1] == '-' ? member + 2 : member;
        if (*member <= byte && byte <= *last) held = 1;
      }
      return held != negated ? end + 1 : NULL;
    }
  }
  for (size_t place = 0; place < length; place++)
    if (at[place] != word[place]) return NULL;
  return at + length;
}

/* Whether a pattern covers the first `length` bytes of a word: `*` any run, `?` one character, `[abc]` or `[!a-c]` one of a set. */
static int covers(const char *pattern, const char *word, size_t length) {
  const char *star = NULL;
  size_t at = 0, resume = 0;
  while (at < length) {
    size_t wide = step(word + at, length - at);
    const char *next = one_of(word + at, wide, pattern);
    if (next) {
      at += wide, pattern = next;
    } else if (*pattern == '*') {
      star = ++pattern, resume = at;
    } else if (star) {
      at = resume += step(word + resume, length - resume), pattern = star;
    } else {
      return 0;
    }
  }
  while (*pattern == '*') pattern++;
  return !*pattern;
}

/* Whether a pattern has a set with a member beyond ASCII, which is not read here. */
static int unread(const char *pattern) {
  int set = 0, beyond = 0;
  for (; *pattern; pattern++) set |= *pattern == '[', beyond |= *pattern & 0x80;
  return set && beyond;
}
