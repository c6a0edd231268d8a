import { Controller, Delete, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, RequirePermissions, SideEffect } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { SupersededBy } from '../../common/http/answer.decorators.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { IdParam } from '../../common/validation/id-param.decorator.js';
import { NoParams } from '../../common/validation/no-params.js';
import { Params } from '../../common/validation/params.decorator.js';
import { ExclusionAddition } from './exclusion-addition.service.js';
import { ExclusionDeletion } from './exclusion-deletion.service.js';
import {
  ExclusionAddedDto,
  ExclusionAnswerDto,
  ExclusionsDto,
  ExclusionTestDto,
  ExclusionTypesDto,
} from './dto/exclusion-answers.dto.js';
import {
  AddExclusionParams,
  DeleteExclusionParams,
  ListExclusionsParams,
  TestExclusionParams,
} from './dto/exclusion-management.params.js';
import { ExclusionReader } from './exclusion-reader.service.js';

@ApiTags('exclusion')
@Controller('exclusion')
export class ExclusionManagementController {
  constructor(
    private readonly reader: ExclusionReader,
    private readonly addition: ExclusionAddition,
    private readonly deletion: ExclusionDeletion,
  ) {}

  @Fetch('types')
  @RequirePermissions(Permission.Read)
  @ApiOperation({ summary: 'List the types of exclusions' })
  @ApiEnvelope(ExclusionTypesDto)
  types(@Params() _params: NoParams): ExclusionTypesDto {
    return this.reader.types();
  }

  @Fetch('list')
  @RequirePermissions(Permission.Read)
  @ApiOperation({ summary: 'List the exclusions of the organisation' })
  @ApiEnvelope(ExclusionsDto)
  list(@CurrentCaller() caller: KnownCaller, @Params() query: ListExclusionsParams): Promise<ExclusionsDto> {
    return this.reader.list(caller, query);
  }

  @Fetch('test')
  @RequirePermissions(Permission.Read)
  @ApiOperation({ summary: 'Test what an exclusion would cover; nothing is changed' })
  @ApiEnvelope(ExclusionTestDto)
  test(@CurrentCaller() caller: KnownCaller, @Params() params: TestExclusionParams): Promise<ExclusionTestDto> {
    return this.reader.test(caller.org.id, params);
  }

  @Fetch('add')
  @RequirePermissions(Permission.Write)
  @SideEffect()
  @SupersededBy('/exclusion')
  @ApiOperation({ summary: 'Add an exclusion (older form)' })
  @ApiEnvelope(ExclusionAddedDto)
  addByGet(@CurrentCaller() caller: KnownCaller, @Params() params: AddExclusionParams): Promise<ExclusionAddedDto> {
    return this.addition.add(caller, params);
  }

  @Post()
  @RequirePermissions(Permission.Write)
  @ApiOperation({ summary: 'Add an exclusion' })
  @ApiEnvelope(ExclusionAddedDto)
  add(@CurrentCaller() caller: KnownCaller, @Params() params: AddExclusionParams): Promise<ExclusionAddedDto> {
    return this.addition.add(caller, params);
  }

  @Fetch('delete')
  @RequirePermissions(Permission.Write)
  @SideEffect()
  @SupersededBy('/exclusion/:exclusion_id')
  @ApiOperation({ summary: 'Delete an exclusion (older form)' })
  @ApiEnvelope(ExclusionAnswerDto)
  removeByGet(
    @CurrentCaller() caller: KnownCaller,
    @Params() { exclusion_id: id }: DeleteExclusionParams,
  ): Promise<ExclusionAnswerDto> {
    return this.deletion.delete(caller, id, 'exclusion_id');
  }

  @Delete(':exclusion_id')
  @RequirePermissions(Permission.Write)
  @ApiOperation({ summary: 'Delete an exclusion' })
  @ApiEnvelope(ExclusionAnswerDto)
  remove(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('exclusion_id') id: number,
    @Params() _params: NoParams,
  ): Promise<ExclusionAnswerDto> {
    return this.deletion.delete(caller, id);
  }
}
