# To be sourced: virtual environments and programs of Debian that the checks with clients need, each made on first use.
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

# The environments of the checks. prepare.sh makes them all before they are needed.

# The libraries that play.
libraries() {
    make_venv pydraughts pydraughts==0.6.7 dame-rs==0.2.0
    make_venv pydraughts-0.5 pydraughts==0.5.7
    make_venv py-draughts py-draughts==1.8.3
}

# The compiler of TypeScript and a linter, in $modules.
modules=$venvs/page
page_modules() {
    local packages="typescript@5.9.3 @biomejs/biome@2.6.8"
    need npm nodejs npm
    if [ "$(cat "$modules/installed" 2>/dev/null || true)" != "$packages" ]; then
        rm -rf "$modules"
        mkdir -p "$modules"
        # shellcheck disable=SC2086
        if ! npm install --silent --no-audit --no-fund --prefix "$modules" $packages; then
            echo "$packages cannot be installed" >&2
            exit $missing
        fi
        printf '%s\n' "$packages" >"$modules/installed"
    fi
}

# A browser and what drives it.
browser() {
    need chromium-headless-shell chromium-headless-shell
    make_venv board playwright==1.65.2 pytest==8.4.2 pytest-xdist==3.8.0 axe-playwright-python==0.1.8
}
