import { ApiProperty } from '@nestjs/swagger';
import { AlertDeliveryDto } from '../../../analysis/alert-history/alert-delivery.dto.js';
import { PageDto } from '../../../common/paging/paging.js';

export class DeliveryDto extends AlertDeliveryDto {
  @ApiProperty({ type: 'integer', nullable: true })
  incident_id!: number | null;

  @ApiProperty({ type: 'integer', format: 'int64', description: 'When it was queued' })
  created_timestamp!: number;

  @ApiProperty({ type: 'integer', format: 'int64', nullable: true, description: 'When it is tried next' })
  next_attempt_timestamp!: number | null;
}

export class DeliveriesDto extends PageDto {
  @ApiProperty({ type: [DeliveryDto], description: 'Newest first' })
  deliveries!: DeliveryDto[];

  @ApiProperty({ type: 'integer', format: 'int64' })
  from!: number;

  @ApiProperty({ type: 'integer', format: 'int64' })
  until!: number;
}

export class DeliveryAnswerDto {
  @ApiProperty({ type: DeliveryDto, description: 'The message as it is now' })
  delivery!: DeliveryDto;

  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}
