import { Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, RequirePermissions } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Throws } from '../../common/errors/throws.decorator.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { Params } from '../../common/validation/params.decorator.js';
import { ConfigDocumentService } from './config-document.service.js';
import { ConfigAppliedDto, ConfigExportDto } from './dto/config-document.dto.js';
import { ApplyConfigParams, ExportConfigParams } from './dto/config-document.params.js';

@ApiTags('config')
@Controller('config')
export class ConfigDocumentController {
  constructor(private readonly documents: ConfigDocumentService) {}

  @Fetch('export')
  @RequirePermissions(Permission.Admin)
  @ApiOperation({
    summary: 'Export the configuration as a document',
    description:
      'Watchers, tunings, exclusions, admin alerts and integrations as YAML or JSON, with `${NAME}` in place of each ' +
      'secret. Applied again, the document changes nothing.',
  })
  @ApiEnvelope(ConfigExportDto)
  export(@CurrentCaller() caller: KnownCaller, @Params() params: ExportConfigParams): Promise<ConfigExportDto> {
    return this.documents.export(caller, params);
  }

  @Post('apply')
  @RequirePermissions(Permission.Admin)
  @Throws('address_not_allowed', 'already_exists', 'wrong_type', 'limit_reached')
  @ApiOperation({
    summary: 'Apply a configuration document',
    description:
      'Creates and changes settings until they are as the document says, all or nothing; errors name the line. ' +
      '`dry_run` only lists the differences, `prune` removes what the document does not name of its kinds. A secret ' +
      'given as `${NAME}` stays as it is stored.',
  })
  @ApiEnvelope(ConfigAppliedDto)
  apply(@CurrentCaller() caller: KnownCaller, @Params() params: ApplyConfigParams): Promise<ConfigAppliedDto> {
    return this.documents.apply(caller, params);
  }
}
