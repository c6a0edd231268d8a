import { Controller, Delete, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, RequirePermissions, SideEffect } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Throws } from '../../common/errors/throws.decorator.js';
import { SupersededBy } from '../../common/http/answer.decorators.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { IdParam } from '../../common/validation/id-param.decorator.js';
import { NoParams } from '../../common/validation/no-params.js';
import { Params } from '../../common/validation/params.decorator.js';
import { ExclusionChangesService } from './exclusion-changes.service.js';
import {
  ExclusionAnswerDto,
  ExclusionDescriptionDto,
  ExclusionsDto,
  ExclusionTestDto,
  ExclusionTypesDto,
  ExclusionWithMetricsDto,
} from './dto/exclusion-answers.dto.js';
import {
  AddExclusionParams,
  DeleteExclusionParams,
  ListExclusionsParams,
  TestExclusionParams,
  UpdateExclusionParams,
} from './dto/exclusion-management.params.js';
import { ExclusionReaderService } from './exclusion-reader.service.js';

@ApiTags('exclusion')
@Controller('exclusion')
export class ExclusionManagementController {
  constructor(
    private readonly reader: ExclusionReaderService,
    private readonly changes: ExclusionChangesService,
  ) {}

  @Fetch('types')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'List the types of exclusions',
    description: 'The four types with their numbers, what each of them does, and whether it can have a schedule.',
  })
  @ApiEnvelope(ExclusionTypesDto)
  types(@Params() _params: NoParams): ExclusionTypesDto {
    return this.reader.types();
  }

  @Fetch('list')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'List the exclusions of the organisation',
    description:
      'All exclusions, page by page, with the number of metrics that each one covers now. `active` keeps those ' +
      'that are in force at this moment, or those that are not.',
  })
  @ApiEnvelope(ExclusionsDto)
  list(@CurrentCaller() caller: KnownCaller, @Params() query: ListExclusionsParams): Promise<ExclusionsDto> {
    return this.reader.list(caller, query);
  }

  @Fetch('test')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'Test what an exclusion would cover; nothing is changed',
    description:
      'The metrics that the chips select, and how many anomalies and alerts these had in the last seven days. ' +
      'Call it before adding an exclusion.',
  })
  @ApiEnvelope(ExclusionTestDto)
  test(@CurrentCaller() caller: KnownCaller, @Params() params: TestExclusionParams): Promise<ExclusionTestDto> {
    return this.reader.test(caller.org.id, params);
  }

  @Fetch('add')
  @RequirePermissions(Permission.Write)
  @SideEffect()
  @SupersededBy('/exclusion')
  @Throws('already_exists', 'limit_reached')
  @ApiOperation({
    summary: 'Add an exclusion (older form)',
    description: 'Does what `POST /exclusion` does, also as GET. Kept for older clients.',
  })
  @ApiEnvelope(ExclusionWithMetricsDto)
  addByGet(
    @CurrentCaller() caller: KnownCaller,
    @Params() params: AddExclusionParams,
  ): Promise<ExclusionWithMetricsDto> {
    return this.changes.add(caller, params);
  }

  @Post()
  @RequirePermissions(Permission.Write)
  @Throws('already_exists', 'limit_reached')
  @ApiOperation({
    summary: 'Add an exclusion',
    description:
      'Takes effect within a minute for all metrics that the chips select, also for those that appear later. ' +
      'Type 1 refuses further points of these metrics and closes their open anomalies; type 4 only ' +
      'suppresses alerts.',
  })
  @ApiEnvelope(ExclusionWithMetricsDto)
  add(@CurrentCaller() caller: KnownCaller, @Params() params: AddExclusionParams): Promise<ExclusionWithMetricsDto> {
    return this.changes.add(caller, params);
  }

  @Fetch('delete')
  @RequirePermissions(Permission.Write)
  @SideEffect()
  @SupersededBy('/exclusion/:exclusion_id')
  @Throws('not_found')
  @ApiOperation({
    summary: 'Delete an exclusion (older form)',
    description: 'Does what `DELETE /exclusion/{exclusion_id}` does, also as GET. Kept for older clients.',
  })
  @ApiEnvelope(ExclusionAnswerDto)
  removeByGet(
    @CurrentCaller() caller: KnownCaller,
    @Params() { exclusion_id: id }: DeleteExclusionParams,
  ): Promise<ExclusionAnswerDto> {
    return this.changes.delete(caller, id, 'exclusion_id');
  }

  @Fetch(':exclusion_id')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'Get an exclusion',
    description: 'One exclusion with the names of the metrics that it covers now.',
  })
  @ApiEnvelope(ExclusionDescriptionDto)
  get(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('exclusion_id') id: number,
    @Params() _params: NoParams,
  ): Promise<ExclusionDescriptionDto> {
    return this.reader.get(caller, id);
  }

  @Put(':exclusion_id')
  @RequirePermissions(Permission.Write)
  @Throws('already_exists')
  @ApiOperation({
    summary: 'Change an exclusion',
    description:
      'Only the members that are sent change: type, chips, reason, times and recurrence. Takes effect within a ' +
      'minute; metrics that it no longer covers are analysed again.',
  })
  @ApiEnvelope(ExclusionWithMetricsDto)
  update(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('exclusion_id') id: number,
    @Params() params: UpdateExclusionParams,
  ): Promise<ExclusionWithMetricsDto> {
    return this.changes.update(caller, id, params);
  }

  @Delete(':exclusion_id')
  @RequirePermissions(Permission.Write)
  @ApiOperation({
    summary: 'Delete an exclusion',
    description:
      'Its effect ends within a minute; anomalies that it closed stay closed. Deleting it again returns the ' +
      'same record.',
  })
  @ApiEnvelope(ExclusionAnswerDto)
  remove(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('exclusion_id') id: number,
    @Params() _params: NoParams,
  ): Promise<ExclusionAnswerDto> {
    return this.changes.delete(caller, id);
  }
}
