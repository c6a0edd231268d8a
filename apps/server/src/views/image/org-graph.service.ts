import { Injectable, StreamableFile } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ServerConfig } from '../../common/config/server.config.js';
import { type AnswerHead } from '../../common/http/answer.js';
import { OrgCountsService } from '../organisation/org-counts.service.js';
import { OrgService } from '../../people/org/org.service.js';
import { type OrgCountsDto } from '../organisation/org-counts.dto.js';
import { ChartRenderer } from './chart-renderer.js';
import { setGraphPolicy } from './content-policy.js';
import { type OrgGraphParams } from './dto/graph.params.js';
import { toOrgChart } from './org-chart.js';
import { refuseLargePicture } from './picture-area.js';
import { PICTURE_TYPES } from './chart-request.js';

/** Graphs of the events of an organisation. */
@Injectable()
export class OrgGraphService {
  constructor(
    private readonly counts: OrgCountsService,
    private readonly orgs: OrgService,
    private readonly renderer: ChartRenderer,
    private readonly config: ServerConfig,
  ) {}

  async graph(caller: KnownCaller, query: OrgGraphParams, head: AnswerHead): Promise<StreamableFile | OrgCountsDto> {
    const counts = await this.counts.countOverTime(caller.org.id, query, query.series);
    if (query.format === 'json') return counts;
    const { name, timezone } = await this.orgs.getById(caller.org.id);
    refuseLargePicture(query, query.format);
    const chart = toOrgChart(counts, { name, timezone }, query);
    const picture = await this.renderer.render({ chart, format: query.format }, caller.org.id);
    setGraphPolicy(head, this.config.frameAncestors);
    return new StreamableFile(picture, { type: PICTURE_TYPES[query.format], length: picture.length });
  }
}
