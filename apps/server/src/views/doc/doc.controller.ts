import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../../common/auth/access.decorators.js';
import { RawResponse, CacheFor } from '../../common/http/answer.decorators.js';
import { HOUR } from '../../common/time.js';
import { DocService } from './doc.service.js';

@ApiTags('doc')
@Controller('doc')
export class DocController {
  constructor(private readonly doc: DocService) {}

  @Get('openapi')
  @Public()
  @RawResponse()
  @CacheFor(HOUR, 'public', { etag: true })
  @Header('Content-Type', 'application/json; charset=utf-8')
  @ApiOperation({ summary: 'Get this description, as OpenAPI 3.1' })
  @ApiOkResponse({ description: 'OK', content: { 'application/json': { schema: { type: 'object' } } } })
  openapi(): Buffer {
    return this.doc.openapi();
  }
}
