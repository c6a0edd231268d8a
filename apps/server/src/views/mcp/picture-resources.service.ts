import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../../common/errors/app-error.js';
import { RateLimits } from '../../common/http/rate-limits.js';
import { shownName } from '../../common/validation/param-message.js';
import { GraphService } from '../image/graph.service.js';
import { PICTURES } from '../image/image-limits.types.js';
import { type ToolCall } from './mcp-tool.types.js';
import { metricOf } from './tool-input.js';

const SIZE = { width: 800, height: 300 };
const MAX_ID = 2_147_483_647;

/** A kind of picture that assistants can view, as PNG. `draw` receives the variable of the address. */
export interface PictureResource {
  name: string;
  title: string;
  description: string;
  uriTemplate: string;
  draw: (call: ToolCall, variable: string) => Promise<Buffer>;
}

/** Pictures of anomalies and metrics, as the API draws them. */
@Injectable()
export class PictureResourcesService {
  readonly resources: readonly PictureResource[] = [
    {
      name: 'anomaly_picture',
      title: 'Picture of an anomaly',
      description: 'The day around an anomaly: values, expected range, anomalies and matches.',
      uriTemplate: 'plumbline://anomaly/{anomaly_id}/picture.png',
      draw: (call, id) => this.drawAnomaly(call, id),
    },
    {
      name: 'metric_picture',
      title: 'Picture of a metric',
      description: 'The last 24 hours of a metric, named as `id:` and its number, or by its percent-encoded name.',
      uriTemplate: 'plumbline://metric/{metric}/picture.png',
      draw: (call, metric) => this.drawMetric(call, metric),
    },
  ];

  constructor(
    private readonly graphs: GraphService,
    private readonly limits: RateLimits,
  ) {}

  private async drawAnomaly({ caller, limitKey }: ToolCall, text: string): Promise<Buffer> {
    const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0;
    if (id === 0 || id > MAX_ID) throw new NotFoundError(`There is no anomaly with the id ${shownName(text)}.`);
    await this.limits.consume(PICTURES, limitKey);
    return this.graphs.pngOfAnomaly(caller, id, SIZE);
  }

  private async drawMetric({ caller, limitKey }: ToolCall, text: string): Promise<Buffer> {
    const ref = metricOf(decoded(text));
    await this.limits.consume(PICTURES, limitKey);
    return this.graphs.pngOfMetric(caller, ref, SIZE);
  }
}

/** The decoded variable of the address; invalid escapes stay unchanged, and match no metric. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
