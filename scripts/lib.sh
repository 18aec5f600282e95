# What the scripts share: finding a JDK 25, building what is stale, the flags of the server. Sourced, never run.

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
JAR="$ROOT/target/millrace.jar"
SERVER="$ROOT/target/millrace"

fail() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}

# The comment at the top of a script is its help.
if [[ "${1:-}" == --help || "${1:-}" == -h ]]; then
  sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "$0"
  exit 0
fi

# Release of the JDK in a directory, "25" for 25.0.3; nothing when there is no JDK. The release file is read because
# starting a JVM for every candidate would take longer than the rest of the script.
jdk_release() {
  [[ -x "$1/bin/java" && -x "$1/bin/javac" && -r "$1/release" ]] || return 0
  sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
}

jdk_candidates() {
  echo "${JAVA_HOME:-}"
  local javac
  if javac="$(command -v javac)"; then
    dirname "$(dirname "$(readlink -f "$javac")")"
  fi
  if [[ -x /usr/libexec/java_home ]]; then
    /usr/libexec/java_home -v 25+ 2>/dev/null || true
  fi
  ls -d /usr/lib/jvm/*25* /opt/*jdk*25* /opt/java/* "$HOME"/.sdkman/candidates/java/*25* "$HOME"/.jdks/*25* 2>/dev/null || true
}

# Points JAVA_HOME at a JDK of release 25 or later, or says what is missing.
use_jdk() {
  local candidate release
  while IFS= read -r candidate; do
    [[ -n "$candidate" ]] || continue
    release="$(jdk_release "$candidate")"
    if [[ -n "$release" && "$release" -ge 25 ]]; then
      export JAVA_HOME="$candidate"
      return
    fi
  done < <(jdk_candidates)
  fail "a JDK of release 25 or later is needed and none was found${JAVA_HOME:+ (JAVA_HOME=$JAVA_HOME has none)}." \
    "Install one (https://adoptium.net has them) and set JAVA_HOME to its directory."
}

maven() {
  (cd "$ROOT" && ./mvnw --batch-mode "$@")
}

# Whether a source is newer than a file made of it.
is_stale() {
  [[ ! -f "$1" ]] || [[ -n "$(find "$ROOT/src" "$ROOT/conf" "$ROOT/pom.xml" -newer "$1" -not -path '*/src/test/*' \
    -not -path '*/src/site/*' -not -path '*/src/jmh/*' -type f -print -quit 2>/dev/null)" ]]
}

# Builds the server without tests and static checks; scripts/check does the rest.
build_if_stale() {
  if is_stale "$SERVER"; then
    echo "Building Millrace; the first time this also downloads Maven and the libraries." >&2
    maven --quiet -Pquick -Dmaven.test.skip=true package || fail "the build failed"
    rm -f "$SERVER"-*.aot
    touch "$JAR" "$SERVER"
    (make_start_cache) || echo "The server starts more slowly without the start cache." >&2
  fi
}

# Builds an earlier commit, once, in a separate work tree; prints the path of its packaged file.
earlier_release() {
  local commit earlier
  commit="$(git -C "$ROOT" rev-parse --verify --quiet "$1^{commit}")" || fail "expected a commit, found $1"
  earlier="$ROOT/target/upgrade/$commit"
  if [[ ! -x "$earlier/target/millrace" ]]; then
    mkdir -p "$ROOT/target/upgrade"
    git -C "$ROOT" worktree prune
    [[ -d "$earlier" ]] || git -C "$ROOT" worktree add --quiet --detach "$earlier" "$commit"
    (cd "$earlier" && ./mvnw --batch-mode --quiet -Pquick -Dmaven.test.skip=true package) >&2 || fail "the build of $1 failed"
  fi
  echo "$earlier/target/millrace"
}

TEST_LIBRARIES="$ROOT/target/test.classpath"

# Compiles the tests when a source of one of their packages, or of what they share, is newer.
compile_tests_if_stale() {
  local tests="$ROOT/src/test/java/io/millrace"
  if [[ ! -f "$TEST_LIBRARIES" || "$ROOT/pom.xml" -nt "$TEST_LIBRARIES" || -n "$(find "$tests/$1" "$tests/support" \
    -newer "$TEST_LIBRARIES" -type f -print -quit)" ]]; then
    maven --quiet -Pquick test-compile dependency:build-classpath -Dmdep.outputFile="$TEST_LIBRARIES" \
      -DincludeScope=test
    touch "$TEST_LIBRARIES"
  fi
}

test_classpath() {
  echo "$ROOT/target/test-classes:$ROOT/target/classes:$(cat "$TEST_LIBRARIES")"
}

# Lets the JVM keep what it learned in a rehearsed start, which more than halves the time of all others (decision 0063).
make_start_cache() {
  local scratch
  scratch="$(mktemp -d)"
  # PostgreSQL does not run as root: when root makes the cache, the database's user must be able to pass.
  chmod 711 "$scratch"
  echo "Checking the start cache; creating it takes a while." >&2
  AP_DATA_DIR="$scratch" "$SERVER" --make-start-cache >"$scratch/log" 2>&1 || fail "$(tail -n 5 "$scratch/log")"
  rm -rf "$scratch"
}

# Starts a server on a throw-away database and a free port, with these settings: sets SCRATCH, SCRATCH_SERVER and SCRATCH_URL.
start_scratch_server() {
  local port
  SCRATCH="$(mktemp -d)"
  # PostgreSQL does not run as root: when root starts the server, the database's user must be able to pass.
  chmod 711 "$SCRATCH"
  : >"$SCRATCH/log"
  AP_DATA_DIR="$SCRATCH/data" AP_HOST=127.0.0.1 AP_PORT=0 env "$@" "$SERVER" >"$SCRATCH/log" 2>&1 &
  SCRATCH_SERVER=$!
  trap stop_scratch_server EXIT
  while ! port="$(sed -n 's/.*is listening on http:[^ ]*:\([0-9]*\)$/\1/p' "$SCRATCH/log")" || [[ -z "$port" ]]; do
    kill -0 "$SCRATCH_SERVER" 2>/dev/null || fail "the server did not start: $(tail -n 5 "$SCRATCH/log")"
    sleep 0.1
  done
  SCRATCH_URL="http://localhost:$port"
}

stop_scratch_server() {
  trap - EXIT
  kill -TERM "$SCRATCH_SERVER" 2>/dev/null || true
  wait "$SCRATCH_SERVER" || true
  rm -rf "$SCRATCH"
}
