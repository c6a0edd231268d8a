const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/**
 * The text of a member of the outermost object, found in the beginning of a JSON document without reading the rest;
 * null if it is missing, is not a text, or the beginning is not a JSON object. Does not check whether the document is
 * valid. O(bytes), and no memory except for the text.
 */
export function findMember(beginning: Uint8Array, name: string): string | null {
  let depth = 0;
  let lastText: [start: number, end: number] | undefined;
  let isValue = false;
  for (let at = 0; at < beginning.length; at++) {
    switch (beginning[at]) {
      case OPEN:
      case OPEN_LIST:
        if (depth === 0 && beginning[at] === OPEN_LIST) return null;
        depth++;
        isValue = false;
        break;
      case CLOSE:
      case CLOSE_LIST:
        depth--;
        break;
      case COLON:
        isValue = depth === 1 && lastText !== undefined && textAt(beginning, lastText) === name;
        break;
      case QUOTE: {
        const end = endOfText(beginning, at);
        if (end < 0) return null;
        if (isValue) return textAt(beginning, [at, end]);
        if (depth === 1) lastText = [at, end];
        at = end;
        break;
      }
      case COMMA:
        // A name follows.
        isValue = false;
        break;
    }
  }
  return null;
}

/** Position of the closing quote of the text that starts at `start`, -1 if it is missing. */
function endOfText(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at++;
    else if (bytes[at] === QUOTE) return at;
  }
  return -1;
}

function textAt(bytes: Uint8Array, [start, end]: [start: number, end: number]): string | null {
  try {
    return JSON.parse(new TextDecoder().decode(bytes.subarray(start, end + 1))) as string;
  } catch {
    return null;
  }
}
