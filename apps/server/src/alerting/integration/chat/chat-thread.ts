/** Where the first message about a subject stands: the id of its channel, and its time stamp, which is its id there. */
export interface ChatThread {
  channel: string;
  ts: string;
}

export const writeThread = ({ channel, ts }: ChatThread): string => `${channel}:${ts}`;

/** Null for a text that `writeThread` did not write. */
export function readThread(text: string | null): ChatThread | null {
  const found = /^([A-Z0-9]+):(\d+\.\d+)$/.exec(text ?? '');
  return found === null ? null : { channel: found[1]!, ts: found[2]! };
}
