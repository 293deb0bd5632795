/** Makes completion scripts for bash, zsh and fish. They contain all names, so a shell need not run the command. */

interface FlagCompletions {
  readonly name: string;
  readonly about: string;
  readonly takesValue: boolean;
  /** Values to offer. After a value that ends in "=", the shell adds no space, so that the user can type on. */
  readonly values: readonly string[];
}

export interface CommandCompletions {
  readonly name: string;
  readonly about: string;
  readonly words: readonly string[];
  /** Words that can follow one of `words`. */
  readonly nextWords: Readonly<Record<string, readonly string[]>>;
  readonly takesFiles: boolean;
  readonly flags: readonly FlagCompletions[];
}

export function bashScript(completions: readonly CommandCompletions[]): string {
  const cases = completions.map(({ name, words, nextWords, flags, takesFiles }) => {
    const all = [...words, ...flags.map((flag) => flag.name), "--help"].join(" ");
    const valued = flags
      .filter((flag) => flag.values.length > 0)
      .map(
        (flag) =>
          `\n      if [[ $flag == ${flag.name} ]]; then _escapement_values "${flag.values.join(" ")}"; return; fi`,
      );
    const next = Object.entries(nextWords).map(
      ([word, following]) =>
        `\n      if [[ $COMP_CWORD -eq 3 && \${COMP_WORDS[2]} == ${word} && $cur != -* ]]; then COMPREPLY=($(compgen -W "${following.join(" ")}" -- "$cur")); return; fi`,
    );
    const files = takesFiles ? `\n      [[ $cur != -* ]] && COMPREPLY+=($(compgen -f -- "$cur"))` : "";
    return `    ${name})${[...valued, ...next].join("")}\n      COMPREPLY=($(compgen -W "${all}" -- "$cur"))${files} ;;`;
  });
  return `# bash completion of escapement: source <(escapement completion bash)
# Readline splits words at "=", so the value of a setting is completed as a separate word.
_escapement_values() {
  COMPREPLY=($(compgen -W "$1" -- "$setting"))
  if [[ $setting == *=* && $COMP_WORDBREAKS == *=* ]]; then COMPREPLY=("\${COMPREPLY[@]#*=}"); fi
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} != *= ]]; then return; fi
  compopt -o nospace 2>/dev/null
}
_escapement() {
  local cur=\${COMP_WORDS[COMP_CWORD]} flag=\${COMP_WORDS[COMP_CWORD-1]} setting=\${COMP_WORDS[COMP_CWORD]}
  if [[ $cur == "=" ]]; then flag=\${COMP_WORDS[COMP_CWORD-2]} setting=\${COMP_WORDS[COMP_CWORD-1]}= cur=""; fi
  if [[ $flag == "=" ]]; then flag=\${COMP_WORDS[COMP_CWORD-3]} setting=\${COMP_WORDS[COMP_CWORD-2]}=$cur; fi
  if [[ $COMP_CWORD -eq 1 ]]; then COMPREPLY=($(compgen -W "${completions.map(({ name }) => name).join(" ")} --help --version" -- "$cur")); return; fi
  case \${COMP_WORDS[1]} in
${cases.join("\n")}
  esac
}
complete -F _escapement escapement
`;
}

export function zshScript(completions: readonly CommandCompletions[]): string {
  const commands = completions.map(({ name, about }) => `    '${name}:${zshText(about)}'`);
  const cases = completions.map(({ name, words, nextWords, flags, takesFiles }) => {
    const specs = flags.map(({ name: flag, about, takesValue, values }) => {
      const value =
        values.length > 0 ? `:value:compadd -S "" -- ${values.join(" ")}` : takesValue ? ":value:_files" : "";
      return `'*${flag}[${zshText(about)}]${value}'`;
    });
    const next = Object.entries(nextWords).map(([word, following]) => `${word}) compadd -- ${following.join(" ")} ;;`);
    const rest =
      next.length > 0
        ? `'1:word:(${words.join(" ")})' '2:name:{ case $words[2] in ${next.join(" ")} esac }'`
        : words.length > 0
          ? `'*:word:{ compadd -- ${words.join(" ")}${takesFiles ? "; _files" : ""} }'`
          : takesFiles
            ? "'*:file:_files'"
            : "";
    return `    ${name}) _arguments ${[...specs, rest].filter((spec) => spec !== "").join(" ")} ;;`;
  });
  return `#compdef escapement
# zsh completion of escapement: escapement completion zsh > "\${fpath[1]}/_escapement"
_escapement() {
  local -a commands
  commands=(
${commands.join("\n")}
  )
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join("\n")}
  esac
}
# zsh loads this file as the function itself at the first completion, which must already complete.
if [[ $funcstack[1] == _escapement ]]; then _escapement "$@"; else compdef _escapement escapement; fi
`;
}

export function fishScript(completions: readonly CommandCompletions[]): string {
  const lines = completions.flatMap(({ name, about, words, nextWords, flags, takesFiles }) => {
    const when = (condition: string) => `complete -c escapement -n '${condition}'`;
    const isCommand = `__fish_seen_subcommand_from ${name}`;
    const within = when(isCommand);
    const isFirst =
      Object.keys(nextWords).length === 0 ? "" : `; and not __fish_seen_subcommand_from ${words.join(" ")}`;
    return [
      `complete -c escapement -n __fish_use_subcommand -f -a ${name} -d '${fishText(about)}'`,
      ...(words.length === 0 ? [] : [`${when(isCommand + isFirst)}${takesFiles ? "" : " -f"} -a '${words.join(" ")}'`]),
      ...Object.entries(nextWords).map(
        ([word, following]) =>
          `${when(`${isCommand}; and __fish_seen_subcommand_from ${word}`)} -f -a '${following.join(" ")}'`,
      ),
      ...flags.map(({ name: flag, about: what, takesValue, values }) => {
        const value = values.length > 0 ? ` -x -a '${values.join(" ")}'` : takesValue ? " -r" : "";
        return `${within} -l ${flag.replace(/^--/, "")} -d '${fishText(what)}'${value}`;
      }),
    ];
  });
  return `# fish completion of escapement: escapement completion fish > ~/.config/fish/completions/escapement.fish\n${lines.join("\n")}\n`;
}

function zshText(text: string): string {
  return text.replace(/'/g, "'\\''").replace(/[[\]:]/g, "\\$&");
}

function fishText(text: string): string {
  return text.replace(/'/g, "\\'");
}
