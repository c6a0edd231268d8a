import { Controller, Get, HttpCode, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { Public } from '../../common/auth/access.decorators.js';
import { RawResponse } from '../../common/http/answer.decorators.js';
import { RateLimit } from '../../common/http/rate-limits.js';
import { HealthDto, QueryAnswerDto, QueryErrorDto } from './dto/influx-client.dto.js';
import { InfluxClientsService } from './influx-clients.service.js';
import { type BodyRule } from './ingest-body.js';
import { INGEST_PROBES } from './ingest-limits.types.js';
import { IngestQuestion } from './ingest-route.decorator.js';
import { Received } from './ingest.guard.js';
import { type IngestAnswer, type ReceivedBody } from './ingest.types.js';

const QUERY: BodyRule = {
  types: ['application/x-www-form-urlencoded', 'text/*', 'application/json'],
  encodings: ['identity', 'gzip'],
  isWithoutPoints: true,
};

/** The version that clients get here. */
const INFLUX_VERSION = '1.8.10';

/** Calls that clients of InfluxDB make before they write. Answers have no envelope. */
@ApiTags('ingest')
@Controller()
export class InfluxClientController {
  constructor(private readonly clients: InfluxClientsService) {}

  @Get('ping')
  @HttpCode(204)
  @Public()
  @RateLimit(INGEST_PROBES)
  @RawResponse()
  @ApiOperation({
    summary: 'Report that the service is available, as InfluxDB 1 does',
    description: 'For clients of InfluxDB, which ask before they write. The version is in `X-Influxdb-Version`.',
  })
  @ApiResponse({ status: 204, description: 'The service is available' })
  ping(@Res({ passthrough: true }) response: Response): void {
    response.setHeader('X-Influxdb-Version', INFLUX_VERSION);
  }

  @Get('health')
  @Public()
  @RateLimit(INGEST_PROBES)
  @RawResponse()
  @ApiOperation({
    summary: 'Report whether the service is ready, as InfluxDB 2 does',
    description: 'For clients of InfluxDB. `/readyz` on the management port reports what is not ready.',
  })
  @ApiResponse({ status: 200, description: 'Ready', type: HealthDto })
  @ApiResponse({ status: 503, description: 'Not ready', type: HealthDto })
  async health(@Res({ passthrough: true }) response: Response): Promise<HealthDto> {
    const health = await this.clients.getHealth();
    response.status(health.status === 'pass' ? 200 : 503);
    return health;
  }

  @IngestQuestion('query', QUERY)
  @ApiOperation({
    summary: 'Answer the query by which clients of InfluxDB 1 create their database',
    description:
      'There are no databases here: `CREATE DATABASE` changes nothing and is answered as done, so that Telegraf and ' +
      'others continue to write. Any other query is refused with the address of the API that reads.',
  })
  @ApiQuery({ name: 'q', required: false, description: 'The query; also in a form body.', schema: { type: 'string' } })
  @ApiBody({ required: false, schema: { type: 'object', properties: { q: { type: 'string' } } } })
  @ApiResponse({ status: 200, description: 'As done', type: QueryAnswerDto })
  @ApiResponse({ status: 400, description: 'Another query, or none', type: QueryErrorDto })
  query(@Received() received: ReceivedBody): IngestAnswer {
    return this.clients.answerQuery(received);
  }
}
