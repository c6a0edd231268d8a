import { type Command, InvalidArgumentError, Option } from 'commander';
import { isTimezone } from '#libs/timezones';
import { type Terminal } from './terminal.js';

/** The program to which commands are added. */
export interface Cli {
  program: Command;
  terminal: Terminal;
}

/** Parsers of option values: their errors become usage errors that name the option. */
export function timezoneOption(text: string): string {
  if (!isTimezone(text)) throw new InvalidArgumentError('Not a time zone; give an IANA name such as Europe/Oslo.');
  return text;
}

export function wholeNumberOption(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < min || number > max) {
      throw new InvalidArgumentError(`Must be a whole number from ${min} to ${max}.`);
    }
    return number;
  };
}

/** For every command that reads CSV: the format of its times. */
export function timeFormatOption(): Option {
  const help =
    'format of the times, such as "dd.MM.yyyy HH:mm" or "M/d/yyyy h:mm a"; default: Unix time, yyyyMMdd or ISO 8601';
  return new Option('--time-format <pattern>', help);
}

/** For every command that reads CSV: the format of its numbers. */
export function decimalOption(): Option {
  return new Option('--decimal <sign>', 'decimal separator; the other one then separates thousands').choices([
    '.',
    ',',
  ]);
}

function urlOption(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new InvalidArgumentError('Must be an address such as http://localhost:3000.');
  }
  return text;
}

/** Options of a command that works on a running server, with a token that has the required permission. */
export function withServer(command: Command, permission: string): Command {
  return command
    .option('--url <address>', 'address of the server', urlOption, 'http://localhost:3000')
    .option('--token <token>', `token with the permission ${permission}; default PLUMBLINE_TOKEN of the environment`)
    .option('--token-file <file>', 'file that contains the token, which then does not appear in process lists');
}

/** The examples below the help text of a command. */
export function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}\n`;
}
