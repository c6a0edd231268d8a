import { type Command } from 'commander';

const WIDTH = 100;

const EXIT_CODES: readonly (readonly [number, string])[] = [
  [0, 'done'],
  [1, 'failed: the message says why; a retry may succeed'],
  [2, 'wrong usage, input or settings: a retry cannot succeed'],
];

/** Exit codes of commands that differ from the common ones. */
const OWN_EXIT_CODES: Readonly<Record<string, readonly (readonly [number, string])[]>> = {
  'plumbline serve': [
    [0, 'stopped by SIGINT or SIGTERM'],
    [1, 'could not start, or lost its database or data folder'],
    [2, 'a setting is wrong'],
    [130, 'stopped immediately by a second signal'],
  ],
  'plumbline status': [
    [0, 'all is well'],
    [1, 'something is not well: the table shows what'],
    [2, 'wrong usage or settings, or another program answers'],
    [3, 'no product is running'],
  ],
  'plumbline doctor': [
    [0, 'nothing failed; there may be warnings'],
    [1, 'a check failed: its line states what to do'],
    [2, 'wrong usage'],
  ],
  'plumbline backup': [...EXIT_CODES, [130, 'stopped by Ctrl-C; all partial files were removed']],
  'plumbline restore': [...EXIT_CODES, [130, 'stopped by Ctrl-C; all partial files were removed']],
  'plumbline replay': [...EXIT_CODES, [130, 'stopped by Ctrl-C; the number of sent points is printed']],
};

/** The commands without subcommands, each with its full path of words. */
export function leafCommands(command: Command, path = command.name()): [string, Command][] {
  if (command.commands.length === 0) return [[path, command]];
  return command.commands.flatMap((sub) => leafCommands(sub, `${path} ${sub.name()}`));
}

/** The output of `--help`, with the examples. */
export function helpOf(command: Command): string {
  let text = '';
  command.configureHelp({ helpWidth: WIDTH });
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text.trim();
}

/** docs/guide/command-line.md: every command with its definition. */
export function commandLineDocument(program: Command): string {
  const leaves = leafCommands(program);
  const anchor = (path: string): string => path.replaceAll(' ', '-');
  const lines = [
    '# The command line',
    '',
    '`npx plumbline …` in the folder of the repository; in the container `plumbline …`. This page is generated from the commands',
    'themselves: `npm run commands:doc`.',
    '',
    'Commands about organisations, users, tokens and keys work beside a running server or without one. They need its',
    'settings: `DATABASE_URL`, or `PLUMBLINE_DATA` where it is not `.plumbline` ([configuration](../configuration.md)).',
    'Results go to standard output, notes and errors to standard error; `--json` is for programs.',
    '',
    '| Command | What it does |',
    '| --- | --- |',
    ...leaves.map(([path, leaf]) => `| [\`${path}\`](#${anchor(path)}) | ${leaf.summary()} |`),
    '',
    '## Exit codes',
    '',
    ...exitCodeTable(EXIT_CODES),
    '',
    'Additional exit codes are listed with each command.',
  ];
  for (const [path, leaf] of leaves) {
    const own = OWN_EXIT_CODES[path];
    lines.push('', `## ${path}`, '', '```text', helpOf(leaf), '```');
    lines.push(
      '',
      ...(own
        ? exitCodeTable(own)
        : [`Exit codes: ${EXIT_CODES.map(([code]) => code).join(', ')} ([above](#exit-codes)).`]),
    );
  }
  return `${lines.join('\n')}\n`;
}

function exitCodeTable(codes: readonly (readonly [number, string])[]): string[] {
  return ['| Exit code | Meaning |', '| ---: | --- |', ...codes.map(([code, meaning]) => `| ${code} | ${meaning} |`)];
}
