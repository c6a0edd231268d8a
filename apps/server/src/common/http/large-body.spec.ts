import { LARGE_BODY_BYTES, MAX_CONTAINERS, type SentBody } from './body-parsing.js';
import { isPackedPairs, type LargeBodyAnswer, memoryOf, readLargeBody } from './large-body.js';

const POINTS = 20_000;
const points = Array.from({ length: POINTS }, (_, row): [number, number | null] => [
  row,
  row % 7 === 0 ? null : row / 2,
]);

const upload = (text: string, kind: SentBody['kind'] = 'json', contentType = ''): LargeBodyAnswer =>
  readLargeBody({ bytes: Buffer.from(text), kind, isUpload: true, contentType });

function membersOf(answer: LargeBodyAnswer): Record<string, unknown> {
  if ('refused' in answer) throw new Error(answer.refused);
  return answer.members as Record<string, unknown>;
}

function listed(value: unknown): [number, number | null][] {
  if (!isPackedPairs(value)) throw new Error('no pairs');
  const { pairs } = value;
  return points.map((_, row) => [pairs[2 * row]!, Number.isNaN(pairs[2 * row + 1]!) ? null : pairs[2 * row + 1]!]);
}

describe('a large body', () => {
  it('packs the points of an upload into columns, and keeps other members unchanged', () => {
    const sent = { name: 'a', labels: [[1, 2]], points };
    const { points: packed, ...others } = membersOf(upload(JSON.stringify(sent)));
    expect(others).toEqual({ name: 'a', labels: [[1, 2]] });
    expect(listed(packed)).toEqual(points);
  });

  it('packs points beside a token, and in a text of a form', () => {
    const beside = membersOf(upload(JSON.stringify({ data: { token: 'x', points } })));
    expect(listed((beside.data as { points: unknown }).points)).toEqual(points);
    const text = JSON.stringify(points);
    expect(text.length).toBeGreaterThan(LARGE_BODY_BYTES);
    expect(listed(membersOf(upload(`name=a&points=${text}`, 'form')).points)).toEqual(points);
    const part = `--x\r\nContent-Disposition: form-data; name="points"\r\n\r\n${text}\r\n--x--\r\n`;
    expect(listed(membersOf(upload(part, 'multipart', 'multipart/form-data; boundary=x')).points)).toEqual(points);
  });

  it('reports the index of the first invalid point', () => {
    const wrong = [...points.slice(0, 5000), [1, 'x'], ...points];
    expect(membersOf(upload(JSON.stringify({ wrong }))).wrong).toMatchObject({ wrongAt: 5000 });
  });

  it('can be transferred to another thread with its memory, including files', () => {
    const part = `--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n${'1,2\n'.repeat(90_000)}\r\n--x--\r\n`;
    const answer = upload(part, 'multipart', 'multipart/form-data; boundary=x');
    const moved = membersOf(structuredClone(answer, { transfer: memoryOf(answer) }));
    expect(moved.f).toBeInstanceOf(Uint8Array);
    expect(Buffer.from(moved.f as Uint8Array).toString()).toBe('1,2\n'.repeat(90_000));
    const columns = upload(JSON.stringify({ points }));
    expect(memoryOf(columns).map(({ byteLength }) => byteLength)).toEqual([POINTS * 16]);
  });

  it('is refused for the same reasons as a small body, and with too many objects beside its points', () => {
    expect(upload('[1]')).toEqual({ refused: 'The JSON body must be an object.' });
    const many = JSON.stringify({ x: { y: { z: Array.from({ length: MAX_CONTAINERS }, () => []) } } });
    expect(upload(many)).toEqual({ refused: expect.stringMatching(/objects and lists besides its points/) as string });
    const sent = { bytes: Buffer.from(many), kind: 'json' as const, isUpload: false, contentType: '' };
    expect(readLargeBody(sent)).toEqual({ refused: expect.stringMatching(/more than 10000 objects/) as string });
  });

  it('keeps a text unchanged that is not a list, in time proportional to its length', () => {
    const text = `[${'[],'.repeat(300_000)}`;
    expect(membersOf(upload(`points=${text}`, 'form')).points).toBe(text);
  });
});
