# Completes a line as an interactive zsh does: `zsh -f zsh-complete.zsh script line candidates`. The candidates are written
# to a file, one per line.
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PROMPT=; autoload -Uz compinit; compinit -u -D; source $1"
zpty -w shell "compadd() { local -a hits; builtin compadd -O hits \"\$@\"; print -rl -- \$hits >> $3; builtin compadd \"\$@\"; }"
zpty -w shell "bindkey '^I' complete-word; print ready > $3.ready"
# The terminal must be read, or the shell in it stops when its buffer is full.
until [[ -s $3.ready ]]; do zpty -r -t shell output; sleep 0.05; done
zpty -w -n shell "$2"$'\t'
zpty -w -n shell $'\x15'"print done > $3.done"$'\n'
until [[ -s $3.done ]]; do zpty -r -t shell output; sleep 0.05; done
zpty -d shell
