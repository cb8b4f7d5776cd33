import type { Outline, OutlinedCommand, OutlinedOption } from './outline.ts';

/** The supported shells. */
export const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** A script that completes commands, options and run ids. */
export function completionScript(shell: Shell, outline: Outline): string {
  switch (shell) {
    case 'bash':
      return bash(outline);
    case 'zsh':
      return zsh(outline);
    case 'fish':
      return fish(outline);
  }
}

/** The long options of a command and the global ones, separated by spaces. */
function optionWords(own: readonly OutlinedOption[] = [], all: readonly OutlinedOption[] = []): string {
  return [...own, ...all].flatMap(({ flags }) => /--[a-z-]+/u.exec(flags) ?? []).join(' ');
}

/** Whether the first argument of a command is a run. */
function takesRun({ args = [] }: OutlinedCommand): boolean {
  return /^[<[]run/u.test(args[0]?.[0] ?? '');
}

function namesOf(commands: readonly OutlinedCommand[], between = ' '): string {
  return commands.map(({ name }) => name).join(between);
}

/**
 * The shell command that prints run ids, one per line. A script must read the lines literally: data that goes through an
 * expansion (`compgen -W`, `eval`, an unquoted `$(…)`) would be executed.
 */
function listRuns(current: string): string {
  return `holdfast complete -- ${current} 2>/dev/null </dev/null`;
}

/** The loop for bash and zsh that appends each line of listRuns() to an array. */
function readRuns(array: string, current: string): string {
  return `while IFS= read -r word; do ${array}+=("$word"); done < <(${listRuns(current)})`;
}

function bash({ commands, options }: Outline): string {
  const names = namesOf(commands);
  const withRun = namesOf(commands.filter(takesRun), '|');
  const cases = commands.map((spec) => `      ${spec.name}) words=(${optionWords(spec.options, options)}) ;;`);
  // bash splits COMP_WORDS at ":" and "@", which run ids and @last contain; $2 is the part that a reply replaces.
  return `# bash completion for holdfast
_holdfast() {
  local line="\${COMP_LINE:0:COMP_POINT}" word
  local -a typed=() words=()
  IFS=$' \\t\\n' read -r -d '' -a typed <<<"$line"
  local current="\${line##*[[:space:]]}" command="\${typed[1]}" position=\${#typed[@]}
  if [[ -n "$current" ]]; then position=$((position - 1)); fi
  if [[ "$position" -eq 1 ]]; then
    words=(${names} help ${optionWords(options)})
  elif [[ "$command" == completion ]]; then
    words=(${shells.join(' ')})
  elif [[ "$command" == help ]]; then
    words=(${names})
  elif [[ "$current" == -* ]]; then
    case "$command" in
${cases.join('\n')}
    esac
  elif [[ "$position" -eq 2 ]]; then
    case "$command" in
      ${withRun})
        words=(@last)
        ${readRuns('words', '"$current"')}
        ;;
    esac
  fi
  local kept="\${current%"$2"}"
  COMPREPLY=()
  for word in "\${words[@]}"; do
    if [[ "$word" == "$current"* ]]; then COMPREPLY+=("\${word#"$kept"}"); fi
  done
}
complete -o default -F _holdfast holdfast
`;
}

function zsh({ commands, options }: Outline): string {
  const withRun = namesOf(commands.filter(takesRun), '|');
  const described = commands.map(({ name, summary }) => `    ${quote(`${name}:${summary}`)}`);
  const cases = commands.map((spec) => `      ${spec.name}) compadd -- ${optionWords(spec.options, options)} ;;`);
  return `#compdef holdfast
# zsh completion for holdfast
_holdfast() {
  local word
  local -a commands runs
  commands=(
${described.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
  elif [[ $words[2] == completion ]]; then
    compadd ${shells.join(' ')}
  elif [[ $words[2] == help ]]; then
    _describe command commands
  elif [[ $words[CURRENT] == -* ]]; then
    case $words[2] in
${cases.join('\n')}
    esac
  elif (( CURRENT == 3 )); then
    case $words[2] in
      ${withRun})
        runs=(@last)
        ${readRuns('runs', '"$PREFIX"')}
        compadd -a -- runs
        ;;
      *) _files ;;
    esac
  else
    _files
  fi
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _holdfast "$@"
else
  compdef _holdfast holdfast
fi
`;
}

function fish({ commands, options: all }: Outline): string {
  const withRun = namesOf(commands.filter(takesRun));
  const described = commands.map(
    ({ name, summary }) => `complete -c holdfast -n __fish_use_subcommand -f -a ${name} -d ${quote(summary)}`,
  );
  const global = all.map(({ flags, help }) => `complete -c holdfast ${fishFlags(flags)} -d ${quote(help)}`);
  const own = commands.flatMap(({ name, options = [] }) =>
    options.map(
      ({ flags, help }) =>
        `complete -c holdfast -n '__fish_seen_subcommand_from ${name}' ${fishFlags(flags)} -d ${quote(help)}`,
    ),
  );
  const runs = `complete -c holdfast -n '__fish_seen_subcommand_from ${withRun}' -f -a '@last (${listRuns('(commandline -ct)')})'`;
  const shell = `complete -c holdfast -n '__fish_seen_subcommand_from completion' -f -a '${shells.join(' ')}'`;
  return `# fish completion for holdfast\n${[...described, ...global, ...own, runs, shell].join('\n')}\n`;
}

function fishFlags(flags: string): string {
  const [, short] = /(?:^|\s)-([a-zA-Z])\b/u.exec(flags) ?? [];
  const [, long] = /--([a-z-]+)/u.exec(flags) ?? [];
  const takesValue = flags.includes('<') ? ' -r' : '';
  return `${short === undefined ? '' : `-s ${short} `}-l ${long}${takesValue}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
