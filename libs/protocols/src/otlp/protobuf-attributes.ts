import { type LabelPair } from '../names/metric-name.js';
import { type SentAttributes } from './otlp-collector.js';
import { type ProtobufReader, Wire } from '../wire/protobuf-reader.js';
import { doubleJson, doubleText, MAX_VALUE_DEPTH } from './any-value.js';

/** A field as it is on the wire: `number << 3 | wire type`. */
const field = (number: number, wireType: number): number => (number << 3) | wireType;

const KEY_VALUE_KEY = field(1, Wire.Bytes);
const KEY_VALUE_VALUE = field(2, Wire.Bytes);
const VALUE_STRING = field(1, Wire.Bytes);
const VALUE_BOOL = field(2, Wire.Varint);
const VALUE_INT = field(3, Wire.Varint);
const VALUE_DOUBLE = field(4, Wire.Fixed64);
const VALUE_ARRAY = field(5, Wire.Bytes);
const VALUE_MAP = field(6, Wire.Bytes);
const VALUE_BYTES = field(7, Wire.Bytes);
/** Entries of an array value and of a map value. */
const ENTRIES = field(1, Wire.Bytes);

/** Maximum number of entries of a list or map that are read: each is at least one character, and labels have fewer. */
const MAX_ENTRIES = 8192;

/** Reads `KeyValue` and `AnyValue` of OTLP as texts. Source: opentelemetry-proto `common/v1/common.proto`. */
export class AttributeReader {
  private readonly text: Buffer;

  constructor(private readonly reader: ProtobufReader) {
    const { buffer, byteOffset, byteLength } = reader.bytes;
    this.text = Buffer.from(buffer, byteOffset, byteLength);
  }

  /**
   * Attributes of the fields `tag` between two positions. The position of the reader is kept.
   * @param max maximum number of attributes with a value that are read
   * @param maxSent maximum number that are examined, with a value or without
   */
  read(tag: number, start: number, end: number, max: number, maxSent: number): SentAttributes {
    const { reader } = this;
    const { position } = reader;
    const pairs: LabelPair[] = [];
    let sent = 0;
    reader.position = start;
    while (reader.position < end && pairs.length < max && sent <= maxSent) {
      const found = reader.tag(end);
      if (found === tag) {
        if (++sent > maxSent) break;
        const pair = this.readKeyValue(reader.lengthDelimitedEnd(end));
        if (pair[1] !== '') pairs.push(pair);
      } else {
        reader.skip(found, end);
      }
    }
    reader.position = position;
    return { pairs, areTooMany: sent > maxSent };
  }

  /** An attribute; its value is empty if there is none. */
  readKeyValue(end: number): LabelPair {
    const { reader } = this;
    let key = '';
    let value = '';
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === KEY_VALUE_KEY) key = this.readText(reader.lengthDelimitedEnd(end));
      else if (tag === KEY_VALUE_VALUE) value = this.readValue(reader.lengthDelimitedEnd(end), 0, false);
      else reader.skip(tag, end);
    }
    return [key, value];
  }

  readText(end: number): string {
    const { position } = this.reader;
    this.reader.position = end;
    return this.text.toString('utf8', position, end);
  }

  /** Bytes as Latin-1: distinct bytes stay distinct. */
  rawText(start: number, end: number): string {
    return this.text.toString('latin1', start, end);
  }

  /** @param isInside the text is part of a list or map, which are shown as JSON */
  private readValue(end: number, depth: number, isInside: boolean): string {
    const { reader } = this;
    let value = isInside ? 'null' : '';
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === VALUE_STRING) {
        const text = this.readText(reader.lengthDelimitedEnd(end));
        value = isInside ? JSON.stringify(text) : text;
      } else if (tag === VALUE_BOOL) {
        value = reader.varint(end) === 0 ? 'false' : 'true';
      } else if (tag === VALUE_INT) {
        value = this.readInteger(end);
      } else if (tag === VALUE_DOUBLE) {
        const number = reader.double(end);
        value = isInside ? doubleJson(number) : doubleText(number);
      } else if (tag === VALUE_BYTES) {
        const bytesEnd = reader.lengthDelimitedEnd(end);
        const base64 = this.text.toString('base64', reader.position, bytesEnd);
        reader.position = bytesEnd;
        value = isInside ? JSON.stringify(base64) : base64;
      } else if ((tag === VALUE_ARRAY || tag === VALUE_MAP) && depth < MAX_VALUE_DEPTH) {
        value = this.readEntries(reader.lengthDelimitedEnd(end), depth + 1, tag === VALUE_MAP);
      } else {
        reader.skip(tag, end);
      }
    }
    return value;
  }

  private readEntries(end: number, depth: number, isMap: boolean): string {
    const { reader } = this;
    const entries: string[] = [];
    while (reader.position < end) {
      const tag = reader.tag(end);
      // A text far too long for a label is still too long without the rest.
      if (tag !== ENTRIES || entries.length >= MAX_ENTRIES) reader.skip(tag, end);
      else if (isMap) entries.push(this.readMapEntry(reader.lengthDelimitedEnd(end), depth));
      else entries.push(this.readValue(reader.lengthDelimitedEnd(end), depth, true));
    }
    return isMap ? `{${entries.join(',')}}` : `[${entries.join(',')}]`;
  }

  private readMapEntry(end: number, depth: number): string {
    const { reader } = this;
    let key = '';
    let value = 'null';
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === KEY_VALUE_KEY) key = this.readText(reader.lengthDelimitedEnd(end));
      else if (tag === KEY_VALUE_VALUE) value = this.readValue(reader.lengthDelimitedEnd(end), depth, true);
      else reader.skip(tag, end);
    }
    return `${JSON.stringify(key)}:${value}`;
  }

  /** An int64 with all its digits: ids are sent as numbers. */
  private readInteger(end: number): string {
    const { reader } = this;
    const start = reader.position;
    const value = reader.int64(end);
    if (Number.isSafeInteger(value)) return String(value);
    let bits = 0n;
    for (let at = reader.position - 1; at >= start; at--) bits = (bits << 7n) | BigInt(reader.bytes[at]! & 0x7f);
    return BigInt.asIntN(64, bits).toString();
  }
}
