# To be sourced: virtual environments and programs of Debian that the checks with clients need.
# Needs the variable `here`, the folder tests/clients.
venvs=${KROON_VENVS:-$here/../../.venvs}
python=${PYTHON:-python3}

# make_venv NAME PACKAGE... : the stamp is written last, so a broken install is redone
make_venv() {
    local dir=$venvs/$1 stamp
    shift
    stamp="$*"
    if [ "$(cat "$dir/installed" 2>/dev/null || true)" != "$stamp" ]; then
        rm -rf "$dir"
        mkdir -p "$venvs"
        "$python" -m venv "$dir"
        "$dir/bin/python" -m pip install --quiet --disable-pip-version-check "$@"
        printf '%s\n' "$stamp" >"$dir/installed"
    fi
}

# What a check ends with that cannot be made here, because a program is missing and cannot be had.
missing=77

# need PROGRAM PACKAGE... : installs the packages of Debian where the program is missing
need() {
    local program=$1
    shift
    if ! command -v "$program" >/dev/null; then
        echo "installing $*" >&2
        if ! { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@"; } >&2; then
            echo "$program is missing, and $* cannot be installed" >&2
            exit $missing
        fi
    fi
}
