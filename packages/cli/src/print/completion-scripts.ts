/** Completion scripts for bash, zsh and fish. They contain all names, so a shell need not run the command. */

interface OfferedFlag {
  readonly name: string;
  readonly about: string;
  readonly takesValue: boolean;
  /** Keys that take `=value`. */
  readonly values: readonly string[];
}

export interface Offer {
  readonly name: string;
  readonly about: string;
  readonly words: readonly string[];
  readonly takesFiles: boolean;
  readonly flags: readonly OfferedFlag[];
}

export function bashScript(offers: readonly Offer[]): string {
  const cases = offers.map(({ name, words, flags, takesFiles }) => {
    const all = [...words, ...flags.map((flag) => flag.name), "--help"].join(" ");
    const set = flags.find((flag) => flag.values.length > 0);
    const keyed =
      set === undefined
        ? ""
        : `\n      if [[ $prev == ${set.name} ]]; then COMPREPLY=($(compgen -S = -W "${set.values.join(" ")}" -- "$cur")); compopt -o nospace 2>/dev/null; return; fi`;
    const files = takesFiles ? `\n      [[ $cur != -* ]] && COMPREPLY+=($(compgen -f -- "$cur"))` : "";
    return `    ${name})${keyed}\n      COMPREPLY=($(compgen -W "${all}" -- "$cur"))${files} ;;`;
  });
  return `# bash completion of escapement: source <(escapement completion bash)
_escapement() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  if [[ $COMP_CWORD -eq 1 ]]; then COMPREPLY=($(compgen -W "${offers.map(({ name }) => name).join(" ")} --help --version" -- "$cur")); return; fi
  case \${COMP_WORDS[1]} in
${cases.join("\n")}
  esac
}
complete -F _escapement escapement
`;
}

export function zshScript(offers: readonly Offer[]): string {
  const commands = offers.map(({ name, about }) => `    '${name}:${zshText(about)}'`);
  const cases = offers.map(({ name, words, flags, takesFiles }) => {
    const specs = flags.map(({ name: flag, about, takesValue, values }) => {
      const value =
        values.length > 0 ? `:value:compadd -S = -- ${values.join(" ")}` : takesValue ? ":value:_files" : "";
      return `'*${flag}[${zshText(about)}]${value}'`;
    });
    const rest =
      words.length > 0
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
compdef _escapement escapement
`;
}

export function fishScript(offers: readonly Offer[]): string {
  const lines = offers.flatMap(({ name, about, words, flags, takesFiles }) => {
    const within = `complete -c escapement -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c escapement -n __fish_use_subcommand -f -a ${name} -d '${fishText(about)}'`,
      ...(words.length === 0 ? [] : [`${within}${takesFiles ? "" : " -f"} -a '${words.join(" ")}'`]),
      ...flags.map(({ name: flag, about: what, takesValue, values }) => {
        const value =
          values.length > 0 ? ` -x -a '${values.map((key) => `${key}=`).join(" ")}'` : takesValue ? " -r" : "";
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
