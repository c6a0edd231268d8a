/** An expression to avoid, and what to write instead. CONTRIBUTING.md, "How we write". */
export interface ProseRule {
  avoid: RegExp;
  write: string;
}

/** Rules that a machine can check. Patterns have no global flag, and match within a line. */
export const PROSE_RULES: readonly ProseRule[] = [
  { avoid: /\bnobody\b/i, write: '"no one", or who does it instead' },
  { avoid: /\bwhoever\b/i, write: 'who it is: the sender, the owner, every reader' },
  { avoid: /\banew\b/i, write: '"again", or "from the start"' },
  { avoid: /\b(is|are|was|were) told\b(?! apart)/i, write: '"is notified", "is reported", "is answered"' },
  { avoid: /\bwhat is due\b/i, write: 'what it is: the message, the job, the slots that are due' },
  { avoid: /\bcomes? into (use|force)\b/i, write: '"takes effect", "applies from"' },
  { avoid: /\b(key|season|period|one) in use\b/i, write: '"the current key", "the active season"' },
  { avoid: /\bby and by\b/i, write: '"gradually", or how long it takes' },
  { avoid: /(^|[.!?] )So long as\b/, write: '"While"' },
  { avoid: /\b(utilize|leverage|in order to|please note)\b/i, write: '"use", "to", or nothing' },
  {
    avoid: /\b(([Ll]|[Rr]el)earned|behavior|neighbors?|([Rr]ecogn|[Ss]ummar|[Oo]ptim)iz(e[sd]?|ing))\b/,
    write: 'the British spelling',
  },
];

/** `<place>:<line number>: <text>: write …` for each line that breaks a rule. */
export function proseOffences(place: string, lines: readonly (string | null)[]): string[] {
  return lines.flatMap((line, index) =>
    PROSE_RULES.filter(({ avoid }) => line !== null && avoid.test(line)).map(
      ({ write }) => `${place}:${String(index + 1)}: ${line!.trim().slice(0, 120)}: write ${write}`,
    ),
  );
}
