import { Module } from '@nestjs/common';
import { TokenStrategy } from '../../common/auth/strategies/token.strategy.js';
import { OrgModule } from '../../people/org/org.module.js';
import { BodyParser } from './body-parser.service.js';
import { GraphiteServer } from './graphite-server.service.js';
import { GraphiteStore } from './graphite-store.service.js';
import { InfluxClientController } from './influx-client.controller.js';
import { InfluxClients } from './influx-clients.service.js';
import { IngestReceiver } from './ingest-receiver.service.js';
import { IngestSenders } from './ingest-senders.service.js';
import { IngestController } from './ingest.controller.js';
import { IngestService } from './ingest.service.js';
import { ParserThread } from './parser-thread.service.js';
import { PointIntakeModule } from './point-intake.module.js';
import { ProtocolSettingsModule } from './protocol-settings.module.js';
import { TestMetricsModule } from './test-metrics.module.js';

/** Takes points in by HTTP and Graphite: limits, parsers, registry, point log. For the role `ingest`. */
@Module({
  imports: [OrgModule, PointIntakeModule, ProtocolSettingsModule, TestMetricsModule],
  controllers: [IngestController, InfluxClientController],
  providers: [
    BodyParser,
    GraphiteServer,
    GraphiteStore,
    InfluxClients,
    IngestReceiver,
    IngestSenders,
    IngestService,
    ParserThread,
    TokenStrategy,
  ],
})
export class IngestModule {}
