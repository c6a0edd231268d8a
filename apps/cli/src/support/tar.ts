/** A file of an archive. */
export interface TarEntry {
  /** At most 100 ASCII characters. */
  name: string;
  content: Buffer;
}

const BLOCK = 512;

/** An archive of plain files, readable only by their owner, in the format of POSIX 1003.1 (`ustar`). */
export function tar(entries: readonly TarEntry[], modifiedSeconds: number): Buffer {
  const parts = entries.flatMap(({ name, content }) => [
    header(name, content.length, modifiedSeconds),
    content,
    Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK),
  ]);
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

function header(name: string, size: number, modifiedSeconds: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`;
  block.write(name, 0, 100, 'ascii');
  block.write(octal(0o600, 7), 100);
  // Owner and group become those of the user who unpacks it.
  block.write(octal(0, 7), 108);
  block.write(octal(0, 7), 116);
  block.write(octal(size, 11), 124);
  block.write(octal(Math.floor(modifiedSeconds), 11), 136);
  // The checksum is computed with blanks in its own field.
  block.write(' '.repeat(8), 148);
  block.write('0', 156);
  block.write('ustar\x0000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}
