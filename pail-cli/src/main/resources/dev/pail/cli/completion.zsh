#compdef pail
# Completion of pail for zsh. Load it with: eval "$(pail completion zsh)"
_pail() {
    local -a candidates
    candidates=("${(@f)$("${words[1]}" completion words -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ -n ${candidates[1]} ]]; then
        compadd -- "${candidates[@]}"
    else
        _files
    fi
}
if [[ ${funcstack[1]} == _pail ]]; then
    _pail "$@"
else
    compdef _pail pail
fi
