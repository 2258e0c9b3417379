# Sourced by test.sh: a PostgreSQL server in a temporary folder on a free port, run by an unprivileged user.
# start_postgres sets PG_URL; stop_postgres stops the server and removes the folder; it may be called repeatedly.

_PG_DIR=""

_pg_bin() { # the programs of the newest installed server
    local found
    found=$(command -v pg_ctl || ls -d /usr/lib/postgresql/*/bin/pg_ctl 2>/dev/null | sort -V | tail -n 1)
    [ -n "$found" ] && dirname "$(readlink -f "$found")"
}

_pg_install() {
    [ -n "$(_pg_bin)" ] && return
    echo "arena: installing postgresql ..."
    debian postgresql
    [ -n "$(_pg_bin)" ] && return
    echo "arena: no PostgreSQL server found; install one, for example: apt-get install postgresql" >&2
    return 1
}

_pg_as() { # the server refuses to run as root
    if [ "$(id -u)" = 0 ]; then
        local user=nobody
        id postgres >/dev/null 2>&1 && user=postgres
        (cd / && setpriv --reuid="$user" --regid="$(id -g "$user")" --clear-groups env HOME="$_PG_DIR" "$@")
    else
        "$@"
    fi
}

start_postgres() {
    _pg_install || return
    local bin port
    bin=$(_pg_bin)
    _PG_DIR=$(mktemp -d /tmp/arena-pg.XXXXXX)
    if [ "$(id -u)" = 0 ]; then
        chown "$(id postgres >/dev/null 2>&1 && echo postgres || echo nobody)" "$_PG_DIR"
    fi
    _pg_as "$bin/initdb" -D "$_PG_DIR/data" -U arena -A trust -E UTF8 --locale=C >"$_PG_DIR/initdb.log" 2>&1 || {
        cat "$_PG_DIR/initdb.log" >&2
        return 1
    }
    for _ in 1 2 3 4 5; do # another process may take the port before the server does
        port=$("$PY" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
        if _pg_as "$bin/pg_ctl" -D "$_PG_DIR/data" -w -t 600 -l "$_PG_DIR/data/server.log" \
            -o "-h 127.0.0.1 -p $port -k $_PG_DIR" start >/dev/null 2>&1; then
            _pg_as "$bin/createdb" -h 127.0.0.1 -p "$port" -U arena arena || return
            PG_URL="postgresql+psycopg://arena@127.0.0.1:$port/arena"
            return
        fi
    done
    tail -n 20 "$_PG_DIR/data/server.log" >&2
    echo "arena: the PostgreSQL server did not start" >&2
    return 1
}

stop_postgres() {
    [ -n "$_PG_DIR" ] || return 0
    local folder=$_PG_DIR
    [ -f "$folder/data/postmaster.pid" ] && _pg_as "$(_pg_bin)/pg_ctl" -D "$folder/data" -m immediate -w -t 600 stop >/dev/null
    _PG_DIR=""
    rm -rf "$folder"
}
