import { type LabelPair } from '../names/metric-name.js';
import { ProtobufWriter } from '../wire/protobuf-writer.js';
import { Wire } from '../wire/protobuf-reader.js';
import { field } from './wire-fields.js';

/** A sample of a series. */
export interface RemoteWriteSample {
  /** Including `__name__`, in any order; keys are unique. */
  labels: readonly LabelPair[];
  value: number;
  /** Unix milliseconds, whole. */
  milliseconds: number;
}

const REQUEST_TIMESERIES = field(1, Wire.Bytes);
const SERIES_LABEL = field(1, Wire.Bytes);
const SERIES_SAMPLE = field(2, Wire.Bytes);
const LABEL_NAME = field(1, Wire.Bytes);
const LABEL_VALUE = field(2, Wire.Bytes);
const SAMPLE_VALUE = field(1, Wire.Fixed64);
const SAMPLE_TIMESTAMP = field(2, Wire.Varint);

/**
 * The body of a remote write 1.0 request with one sample of each series, before snappy compression. Labels are sorted, as
 * receivers require. O(bytes).
 * Source: https://prometheus.io/docs/specs/prw/remote_write_spec/ and prometheus `prompb/types.proto`.
 */
export function composeRemoteWrite(samples: readonly RemoteWriteSample[]): Uint8Array {
  const request = new ProtobufWriter();
  for (const { labels, value, milliseconds } of samples) {
    const series = new ProtobufWriter();
    for (const [name, text] of [...labels].sort(([one], [other]) => (one < other ? -1 : 1))) {
      series.message(SERIES_LABEL, new ProtobufWriter().text(LABEL_NAME, name).text(LABEL_VALUE, text));
    }
    series.message(
      SERIES_SAMPLE,
      new ProtobufWriter().double(SAMPLE_VALUE, value).varint(SAMPLE_TIMESTAMP, milliseconds),
    );
    request.message(REQUEST_TIMESERIES, series);
  }
  return request.bytes();
}
