import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, RequirePermissions, SideEffect } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Throws } from '../../common/errors/throws.decorator.js';
import { SupersededBy } from '../../common/http/answer.decorators.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { IdParam } from '../../common/validation/id-param.decorator.js';
import { type JudgedParams } from '../../common/validation/judged-params.js';
import { NoParams } from '../../common/validation/no-params.js';
import { Params } from '../../common/validation/params.decorator.js';
import {
  ChipCompletionsDto,
  WatcherAnswerDto,
  WatcherRestoredDto,
  WatcherSavedDto,
  WatchersDto,
} from './dto/watcher.dto.js';
import {
  CompleteChipsParams,
  CreateThresholdWatcherParams,
  CreateWatcherParams,
  ListWatchersParams,
  UpdateThresholdWatcherParams,
  UpdateWatcherParams,
} from './dto/watcher.params.js';
import { WatcherReaderService } from './watcher-reader.service.js';
import { WatcherService } from './watcher.service.js';

@ApiTags('watcher')
@Controller()
export class WatcherController {
  constructor(
    private readonly watchers: WatcherService,
    private readonly reader: WatcherReaderService,
  ) {}

  @Fetch('watchers/chips')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'Complete a chip',
    description: 'Chips that contain the typed text, with the number of metrics that remain with each of them.',
  })
  @ApiEnvelope(ChipCompletionsDto)
  completeChips(
    @CurrentCaller() caller: KnownCaller,
    @Params() params: CompleteChipsParams,
  ): Promise<ChipCompletionsDto> {
    return this.reader.completeChips(caller, params);
  }

  @Fetch('watchers/list')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'List the watchers',
    description: 'Watchers page by page, of one type, or those of the metrics that chips select.',
  })
  @ApiEnvelope(WatchersDto)
  list(@CurrentCaller() caller: KnownCaller, @Params() params: ListWatchersParams): Promise<WatchersDto> {
    return this.reader.list(caller, params);
  }

  @Fetch('watcher/create')
  @RequirePermissions(Permission.Write)
  @SideEffect()
  @SupersededBy('/watcher')
  @Throws('already_exists', 'limit_reached')
  @ApiOperation({
    summary: 'Create a watcher (older form)',
    description: 'Does what `POST /watcher` does, also as GET. Kept for older clients.',
  })
  @ApiEnvelope(WatcherSavedDto)
  createByGet(
    @CurrentCaller() caller: KnownCaller,
    @Params(CreateWatcherParams) params: JudgedParams<CreateWatcherParams>,
  ): Promise<WatcherSavedDto> {
    return this.watchers.create(caller, params);
  }

  @Post('watcher')
  @RequirePermissions(Permission.Write)
  @Throws('already_exists', 'limit_reached')
  @ApiOperation({
    summary: 'Create a watcher of anomalies',
    description:
      'Alerts of the anomalies of all metrics that the chips select, also of those that appear later. Without a ' +
      'channel and a recipient, those of the organisation are used; without `alert` it is a saved view.',
  })
  @ApiEnvelope(WatcherSavedDto)
  create(
    @CurrentCaller() caller: KnownCaller,
    @Params(CreateWatcherParams) params: JudgedParams<CreateWatcherParams>,
  ): Promise<WatcherSavedDto> {
    return this.watchers.create(caller, params);
  }

  @Post('watcher/threshold')
  @RequirePermissions(Permission.Write)
  @Throws('already_exists', 'limit_reached')
  @ApiOperation({
    summary: 'Create a watcher with a threshold',
    description:
      'Alerts when a metric is above, below or outside of limits, drops far below its average, or is silent, ' +
      'and again when it has recovered. It opens no anomalies.',
  })
  @ApiEnvelope(WatcherSavedDto)
  createThreshold(
    @CurrentCaller() caller: KnownCaller,
    @Params(CreateThresholdWatcherParams) params: JudgedParams<CreateThresholdWatcherParams>,
  ): Promise<WatcherSavedDto> {
    return this.watchers.createThreshold(caller, params);
  }

  @Put('watcher/threshold/:watcher_id')
  @RequirePermissions(Permission.Write)
  @Throws('already_exists', 'wrong_type', 'state_conflict')
  @ApiOperation({
    summary: 'Change a watcher with a threshold',
    description: 'Members that are not sent stay unchanged. Takes effect within five seconds for new points.',
  })
  @ApiEnvelope(WatcherSavedDto)
  updateThreshold(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('watcher_id') id: number,
    @Params(UpdateThresholdWatcherParams) params: JudgedParams<UpdateThresholdWatcherParams>,
  ): Promise<WatcherSavedDto> {
    return this.watchers.updateThreshold(caller, id, params);
  }

  @Fetch('watcher/:watcher_id')
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'Get a watcher',
    description:
      'One watcher with the names of its metrics and its latest alerts. A deleted one is returned for 30 days.',
  })
  @ApiEnvelope(WatcherAnswerDto)
  find(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('watcher_id') id: number,
    @Params() _params: NoParams,
  ): Promise<WatcherAnswerDto> {
    return this.reader.get(caller, id);
  }

  @Put('watcher/:watcher_id')
  @RequirePermissions(Permission.Write)
  @Throws('already_exists', 'state_conflict')
  @ApiOperation({
    summary: 'Change a watcher',
    description:
      'Members that are not sent stay unchanged. Names are unique among the live watchers of the organisation.',
  })
  @ApiEnvelope(WatcherSavedDto)
  update(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('watcher_id') id: number,
    @Params(UpdateWatcherParams) params: JudgedParams<UpdateWatcherParams>,
  ): Promise<WatcherSavedDto> {
    return this.watchers.update(caller, id, params);
  }

  @Fetch('watcher/:watcher_id/update')
  @RequirePermissions(Permission.Write)
  @SideEffect()
  @SupersededBy('/watcher/:watcher_id')
  @Throws('already_exists', 'state_conflict')
  @ApiOperation({
    summary: 'Change a watcher (older form)',
    description: 'Does what `PUT /watcher/{watcher_id}` does, also as GET. Kept for older clients.',
  })
  @ApiEnvelope(WatcherSavedDto)
  updateByGet(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('watcher_id') id: number,
    @Params(UpdateWatcherParams) params: JudgedParams<UpdateWatcherParams>,
  ): Promise<WatcherSavedDto> {
    return this.watchers.update(caller, id, params);
  }

  @Delete('watcher/:watcher_id')
  @RequirePermissions(Permission.Write)
  @ApiOperation({
    summary: 'Delete a watcher',
    description: 'It no longer alerts, and can be restored for 30 days. Deleting it again returns the same record.',
  })
  @ApiEnvelope(WatcherRestoredDto)
  delete(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('watcher_id') id: number,
    @Params() _params: NoParams,
  ): Promise<WatcherRestoredDto> {
    return this.watchers.delete(caller, id);
  }

  @Fetch('watcher/:watcher_id/delete')
  @RequirePermissions(Permission.Write)
  @SideEffect()
  @SupersededBy('/watcher/:watcher_id')
  @ApiOperation({
    summary: 'Delete a watcher (older form)',
    description: 'Does what `DELETE /watcher/{watcher_id}` does, also as GET. Kept for older clients.',
  })
  @ApiEnvelope(WatcherRestoredDto)
  deleteByGet(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('watcher_id') id: number,
    @Params() _params: NoParams,
  ): Promise<WatcherRestoredDto> {
    return this.watchers.delete(caller, id);
  }

  @Get('watcher/:watcher_id/undelete')
  @RequirePermissions(Permission.Write)
  @SideEffect()
  @SupersededBy('/watcher/:watcher_id/undelete')
  @Throws('already_exists', 'limit_reached', 'expired')
  @ApiOperation({
    summary: 'Restore a watcher (older form)',
    description: 'Does what `POST /watcher/{watcher_id}/undelete` does, as GET. Kept for older clients.',
  })
  @ApiEnvelope(WatcherRestoredDto)
  restoreByGet(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('watcher_id') id: number,
    @Params() _params: NoParams,
  ): Promise<WatcherRestoredDto> {
    return this.watchers.restore(caller, id);
  }

  @Post('watcher/:watcher_id/undelete')
  @RequirePermissions(Permission.Write)
  @Throws('already_exists', 'limit_reached', 'expired')
  @ApiOperation({
    summary: 'Restore a watcher',
    description:
      'Restores a watcher that was deleted in the last 30 days. A watcher that is not deleted is returned unchanged.',
  })
  @ApiEnvelope(WatcherRestoredDto)
  restore(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('watcher_id') id: number,
    @Params() _params: NoParams,
  ): Promise<WatcherRestoredDto> {
    return this.watchers.restore(caller, id);
  }
}
