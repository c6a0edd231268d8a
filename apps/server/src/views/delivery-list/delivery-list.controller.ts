import { Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, RequirePermissions } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Throws } from '../../common/errors/throws.decorator.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { IdParam } from '../../common/validation/id-param.decorator.js';
import { NoParams } from '../../common/validation/no-params.js';
import { Params } from '../../common/validation/params.decorator.js';
import { DeliveryListService } from './delivery-list.service.js';
import { DeliveriesDto, DeliveryAnswerDto } from './dto/delivery-list.dto.js';
import { ListDeliveriesParams } from './dto/delivery-list.params.js';

@ApiTags('delivery')
@Controller()
export class DeliveryListController {
  constructor(private readonly deliveries: DeliveryListService) {}

  @Fetch('deliveries')
  @RequirePermissions(Permission.Read)
  @Throws('not_found')
  @ApiOperation({
    summary: 'List the messages of alerts',
    description:
      'What was sent to whom, by which channel and watcher, what failed and what was suppressed; the newest first.',
  })
  @ApiEnvelope(DeliveriesDto)
  list(@CurrentCaller() caller: KnownCaller, @Params() params: ListDeliveriesParams): Promise<DeliveriesDto> {
    return this.deliveries.list(caller, params);
  }

  @Post('delivery/:delivery_id/retry')
  @RequirePermissions(Permission.Alert)
  @Throws('state_conflict')
  @ApiOperation({
    summary: 'Send a failed message again',
    description:
      'Queues a message that was given up, with a full set of attempts. One that waits or was sent is returned ' +
      'unchanged.',
  })
  @ApiEnvelope(DeliveryAnswerDto)
  retry(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('delivery_id') id: number,
    @Params() _params: NoParams,
  ): Promise<DeliveryAnswerDto> {
    return this.deliveries.retry(caller, id);
  }
}
