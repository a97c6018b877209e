/* What a host sends: one line of printable ASCII without a backslash that is an object of texts, whole numbers, constants and such objects. */

struct text {
  const char *at;
  size_t length;
};

static int is(struct text text, const char *other) {
  size_t at = 0;
  while (at < text.length && other[at] == text.at[at]) at++;
  return at == text.length && !other[at];
}

struct request {
  const char *at;
  struct text cwd, event, tool, command;
  int arguments;
};

static int text_of(struct request *from, struct text *found) {
  if (*from->at != '"') return 0;
  found->at = ++from->at;
  while (*from->at && *from->at != '"') from->at++;
  found->length = from->at - found->at;
  return *from->at++ == '"';
}

static int constant(struct request *from, const char *word) {
  const char *at = from->at;
  while (*word && *at == *word) at++, word++;
  if (*word) return 0;
  from->at = at;
  return 1;
}

static int number(struct request *from) {
  if (constant(from, "0")) return *from->at < '0' || *from->at > '9';
  if (*from->at < '1' || *from->at > '9') return 0;
  while (*from->at >= '0' && *from->at <= '9') from->at++;
  return 1;
}

static int plain_value(struct request *from) {
  struct text ignored;
  if (*from->at == '"') return text_of(from, &ignored);
  return constant(from, "true") || constant(from, "false") || constant(from, "null") || number(from);
}

/* A text that may stand once, and not be empty. */
static int once(struct request *from, struct text *into) { return !into->length && text_of(from, into) && into->length; }

static int among(struct text name, const char *const *names) {
  for (; *names; names++)
    if (is(name, *names)) return 1;
  return 0;
}

static int object(struct request *from, int depth, int arguments);

static int value(struct request *from, struct text name, int depth, int arguments) {
  if (arguments) {
    if (is(name, "command")) return once(from, &from->command);
    return among(name, innocent) && plain_value(from);
  }
  if (!depth) {
    if (is(name, "cwd")) return once(from, &from->cwd);
    if (is(name, "hook_event_name")) return once(from, &from->event);
    if (is(name, "tool_name")) return once(from, &from->tool);
    if (is(name, "tool_input")) return !from->arguments++ && object(from, 1, 1);
    if (among(name, texts)) return *from->at == '"' && plain_value(from);
    if (*from->at == '{') return object(from, 1, 0);
  }
  return plain_value(from);
}

static int object(struct request *from, int depth, int arguments) {
  struct text name;
  if (*from->at++ != '{') return 0;
  for (;;) {
    if (!text_of(from, &name) || *from->at++ != ':' || !value(from, name, depth, arguments)) return 0;
    if (*from->at == '}') return from->at++, 1;
    if (*from->at++ != ',') return 0;
  }
}
