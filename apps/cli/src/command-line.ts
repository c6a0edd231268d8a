import { type Command, InvalidArgumentError } from 'commander';
import { isTimezone } from '#libs/timezones';
import { type Terminal } from './terminal.js';

/** What a command is added to. */
export interface Cli {
  program: Command;
  terminal: Terminal;
}

/** Parsers of option values: what they throw becomes a usage error that names the option. */
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

/** The examples below the help text of a command. */
export function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}\n`;
}
