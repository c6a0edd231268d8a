import { Module } from '@nestjs/common';
import { AnomalyModule } from '../../analysis/anomaly/anomaly.module.js';
import { IncidentListModule } from '../../analysis/incident-list/incident-list.module.js';
import { RelatedModule } from '../../analysis/related/related.module.js';
import { TrainingModule } from '../../teaching/training/training.module.js';
import { ForeignPaths } from '../../common/http/foreign-paths.js';
import { MetricModule } from '../../data/metric/metric.module.js';
import { ImageModule } from '../image/image.module.js';
import { AnomalyToolsService } from './anomaly-tools.service.js';
import { IncidentToolsService } from './incident-tools.service.js';
import { McpController } from './mcp.controller.js';
import { mcpErrorForm } from './mcp-error-form.js';
import { McpEndpointService } from './mcp-endpoint.service.js';
import { McpServersService } from './mcp-servers.service.js';
import { MetricToolsService } from './metric-tools.service.js';
import { PictureResourcesService } from './picture-resources.service.js';

/** Answers assistants over the Model Context Protocol, with the same data as the API. */
@Module({
  imports: [AnomalyModule, ImageModule, IncidentListModule, MetricModule, RelatedModule, TrainingModule],
  controllers: [McpController],
  providers: [
    AnomalyToolsService,
    IncidentToolsService,
    McpEndpointService,
    McpServersService,
    MetricToolsService,
    PictureResourcesService,
  ],
})
export class McpModule {
  constructor(paths: ForeignPaths) {
    paths.register('/mcp', mcpErrorForm);
  }
}
