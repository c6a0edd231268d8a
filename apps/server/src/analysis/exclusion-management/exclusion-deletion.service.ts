import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { Transactions } from '../../common/database/transactions.js';
import { ExclusionPresenter } from '../../data/exclusion/exclusion-presenter.service.js';
import { ExclusionService } from '../../data/exclusion/exclusion.service.js';
import { type ExclusionAnswerDto } from './dto/exclusion-answers.dto.js';
import { ExclusionActs } from './exclusion-acts.service.js';
import { ExclusionEffects } from './exclusion-effects.service.js';
import { ExclusionNotFoundError } from './exclusion-management.errors.js';
import { ExclusionManagementRepository } from './exclusion-management.repository.js';

/** Deletes exclusions. */
@Injectable()
export class ExclusionDeletion {
  constructor(
    private readonly definitions: ExclusionService,
    private readonly exclusions: ExclusionManagementRepository,
    private readonly presenter: ExclusionPresenter,
    private readonly effects: ExclusionEffects,
    private readonly acts: ExclusionActs,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /**
   * Deleting one again answers as the first time.
   * @param field the parameter that named it, when it was not the path
   * @throws ExclusionNotFoundError
   */
  async delete(caller: KnownCaller, id: number, field?: string): Promise<ExclusionAnswerDto> {
    const { org } = caller;
    const exclusion = await this.definitions.find(org.id, id);
    if (!exclusion) throw new ExclusionNotFoundError(id, field);
    const isDeleted = await this.transactions.run(async (tx) => {
      if (!(await this.exclusions.markDeleted(org.id, id, new Date(this.clock.now() * 1000), tx))) return false;
      await this.acts.record(caller, 'exclusion.delete', id, exclusion, tx);
      return true;
    });
    if (isDeleted) {
      await this.effects.takeEffect(org.id, exclusion.typeId);
      this.acts.report(caller, 'exclusion_removed', exclusion);
    }
    const [record] = await this.presenter.present(caller, [exclusion]);
    return { exclusion: Object.assign(record!, { active: false }), message: 'OK' };
  }
}
