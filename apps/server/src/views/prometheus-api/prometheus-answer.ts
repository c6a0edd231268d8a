import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { currentRequest } from '../../common/http/request-context.js';

/** Answers up to this many characters are buffered, so that a failure can still become an error response. */
const WHOLE_CHARACTERS = 1024 * 1024;

export const JSON_TYPE = 'application/json';
export const TRUNCATED = 'results truncated due to limit';

/** Pieces of an answer. */
export type Pieces = AsyncIterable<string> | Iterable<string>;

/**
 * Creates an answer from its pieces: in one piece if it is small, otherwise streamed. A later failure closes the
 * connection, because that is the only remaining way to show that the answer is incomplete.
 */
export async function answerOf(pieces: Pieces, type: string): Promise<StreamableFile> {
  const context = currentRequest.getStore();
  const iterator = toAsync(pieces);
  let buffered = '';
  while (buffered.length < WHOLE_CHARACTERS) {
    const { done, value } = await iterator.next();
    if (done === true) {
      const bytes = Buffer.from(buffered);
      return new StreamableFile(bytes, { type, length: bytes.length });
    }
    buffered += value;
  }
  async function* all(): AsyncGenerator<string> {
    yield buffered;
    for (;;) {
      // The pieces are read in the context of this request, also when another context requests the next one.
      const { done, value } = await (context ? currentRequest.run(context, () => iterator.next()) : iterator.next());
      if (done === true) return;
      yield value;
    }
  }
  const file = new StreamableFile(Readable.from(all(), { objectMode: false }), { type });
  file.setErrorHandler((_error, response) => {
    response.destroy?.();
  });
  return file;
}

async function* toAsync(pieces: Pieces): AsyncGenerator<string, undefined> {
  yield* pieces;
  return undefined;
}

/** The envelope of Prometheus around data in pieces of JSON; the warnings come last. */
export async function* success(data: Pieces, warnings: readonly string[] = []): AsyncGenerator<string> {
  yield '{"status":"success","data":';
  yield* data;
  yield warnings.length === 0 ? '}' : `,"warnings":${JSON.stringify(warnings)}}`;
}

/** A JSON list from its items. */
export async function* jsonList(items: Pieces): AsyncGenerator<string> {
  yield '[';
  let isFirst = true;
  for await (const item of items) {
    yield isFirst ? item : `,${item}`;
    isFirst = false;
  }
  yield ']';
}

/** An answer of plain data. */
export function successOf(data: object, warnings: readonly string[] = []): Promise<StreamableFile> {
  return answerOf(success([JSON.stringify(data)], warnings), JSON_TYPE);
}
