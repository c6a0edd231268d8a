import { Controller, Get, Header, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Public } from '../../common/auth/access.decorators.js';
import { Answer, type AnswerHead } from '../../common/http/answer.js';
import { CacheFor, RawResponse } from '../../common/http/answer.decorators.js';
import { HOUR } from '../../common/time.js';
import { DocService } from './doc.service.js';

const BYTES = { type: 'string', format: 'binary' } as const;

@ApiTags('doc')
@Controller('doc')
export class DocController {
  constructor(private readonly doc: DocService) {}

  @Get()
  @Public()
  @RawResponse()
  @Header('Content-Type', 'text/html; charset=utf-8')
  @ApiOperation({
    summary: 'Get this description as a page that can be tried',
    description:
      'Swagger UI, served by this installation alone: it loads nothing from and sends nothing to other hosts.',
  })
  @ApiOkResponse({ description: 'OK', content: { 'text/html': { schema: { type: 'string' } } } })
  page(@Answer() answer: AnswerHead): string {
    const { html, contentPolicy } = this.doc.page();
    answer.setHeader('Content-Security-Policy', contentPolicy);
    return html;
  }

  @Get('assets/:file')
  @Public()
  @RawResponse()
  @CacheFor(HOUR, 'public', { etag: true })
  @ApiOperation({
    summary: 'Get a file of the page at /doc',
    description: 'Scripts, styles and the icon of the page; other names are not found.',
  })
  @ApiParam({ name: 'file', type: String, example: 'swagger-ui.css' })
  @ApiOkResponse({
    description: 'OK',
    content: { 'text/css': { schema: BYTES }, 'text/javascript': { schema: BYTES }, 'image/png': { schema: BYTES } },
  })
  asset(@Param('file') file: string, @Answer() answer: AnswerHead): Buffer {
    const { contentType, bytes } = this.doc.asset(file);
    answer.setHeader('Content-Type', contentType);
    return bytes;
  }

  @Get('openapi')
  @Public()
  @RawResponse()
  @CacheFor(HOUR, 'public', { etag: true })
  @Header('Content-Type', 'application/json; charset=utf-8')
  @ApiOperation({
    summary: 'Get this description, as OpenAPI 3.1',
    description:
      'Generated from the running code, with the public address of this installation. `GET /doc` is a page that ' +
      'shows it to people.',
  })
  @ApiOkResponse({ description: 'OK', content: { 'application/json': { schema: { type: 'object' } } } })
  openapi(): Buffer {
    return this.doc.openapi();
  }

  @Get('config-schema')
  @Public()
  @RawResponse()
  @CacheFor(HOUR, 'public', { etag: true })
  @Header('Content-Type', 'application/schema+json; charset=utf-8')
  @ApiOperation({
    summary: 'Get the JSON Schema of configuration documents',
    description:
      'For editors that complete and check the files of `plumbline apply`. Generated from the parameters that validate them.',
  })
  @ApiOkResponse({ description: 'OK', content: { 'application/schema+json': { schema: { type: 'object' } } } })
  configSchema(): Buffer {
    return this.doc.configSchema();
  }
}
