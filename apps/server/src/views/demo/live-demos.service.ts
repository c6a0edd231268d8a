import { Injectable } from '@nestjs/common';
import { OrgService } from '../../people/org/org.service.js';
import { type Org } from '../../people/org/org.types.js';
import { DemoOrgsService } from './demo-orgs.service.js';
import { DemoRepository } from './demo.repository.js';

/** The demo organisations to feed: those that visitors may view, and the administrator's own. */
@Injectable()
export class LiveDemosService {
  constructor(
    private readonly orgs: OrgService,
    private readonly demos: DemoOrgsService,
    private readonly repository: DemoRepository,
  ) {}

  /** Creates missing organisations for visitors, and lists all that are to be fed. */
  async list(): Promise<Org[]> {
    await this.demos.ensure();
    const open = new Set((await this.demos.open()).map(({ id }) => id));
    const closed = new Set((await this.repository.listAll()).map(({ orgId }) => orgId).filter((id) => !open.has(id)));
    return (await this.orgs.listAll()).filter(({ id, isDemo }) => isDemo && !closed.has(id));
  }

  /** Nothing is sent to an organisation that is being erased. */
  async isGone(orgId: number): Promise<boolean> {
    return (await this.orgs.find(orgId)) === null;
  }
}
