import { Module } from '@nestjs/common';
import { TokenStrategy } from '../../common/auth/strategies/token.strategy.js';
import { OrgModule } from '../../people/org/org.module.js';
import { BodyParserService, ParserThreadService } from './body-parser.service.js';
import { GraphiteServerService } from './graphite-server.service.js';
import { GraphiteStoreService } from './graphite-store.service.js';
import { InfluxClientController } from './influx-client.controller.js';
import { InfluxClientsService } from './influx-clients.service.js';
import { IngestReceiverService } from './ingest-receiver.service.js';
import { IngestSendersService } from './ingest-senders.service.js';
import { IngestController } from './ingest.controller.js';
import { IngestService } from './ingest.service.js';
import { PointIntakeModule } from './point-intake.module.js';
import { ProtocolSettingsModule } from './protocol-settings.module.js';
import { TestMetricsModule } from './test-metrics.module.js';

/** Accepts points by HTTP and Graphite: limits, parsers, registry, point log. For the role `ingest`. */
@Module({
  imports: [OrgModule, PointIntakeModule, ProtocolSettingsModule, TestMetricsModule],
  controllers: [IngestController, InfluxClientController],
  providers: [
    BodyParserService,
    GraphiteServerService,
    GraphiteStoreService,
    InfluxClientsService,
    IngestReceiverService,
    IngestSendersService,
    IngestService,
    ParserThreadService,
    TokenStrategy,
  ],
})
export class IngestModule {}
