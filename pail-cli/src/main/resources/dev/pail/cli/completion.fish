# Completion of pail for fish. Load it with: pail completion fish | source
function __pail_candidates
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l candidates ($words[1] completion words -- $words[2..-1] "$current" 2>/dev/null)
    if test (count $candidates) -gt 0
        printf '%s\n' $candidates
    else
        __fish_complete_path "$current"
    end
end
complete -c pail -f -a '(__pail_candidates)'
