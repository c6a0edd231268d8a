import { Injectable } from '@nestjs/common';
import { randomInt } from 'node:crypto';
import { Transactions } from '../../common/database/transactions.js';
import { FirstOrganisationService } from '../org/first-organisation.service.js';
import { AdministratorSettingsService } from './administrator-settings.service.js';
import { InitialOrganisationService } from './initial-organisation.service.js';
import { SetupConfig } from './setup.config.js';
import { type FirstStart } from './setup.types.js';

/** Without letters and digits that are easily confused. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const PASSWORD_GROUPS = 5;
const GROUP_LENGTH = 4;

/** Makes an empty database usable: one organisation, its administrator, and the first tokens. */
@Injectable()
export class FirstStartService {
  constructor(
    private readonly firstOrganisation: FirstOrganisationService,
    private readonly settings: AdministratorSettingsService,
    private readonly organisation: InitialOrganisationService,
    private readonly transactions: Transactions,
    private readonly config: SetupConfig,
  ) {}

  /**
   * Returns the created objects, null if an organisation already exists. Of several processes that start at the same
   * time, one creates it.
   * @throws ConfigError if the settings name no valid administrator
   */
  async run(): Promise<FirstStart | null> {
    const generatedPassword = generatePassword();
    return this.transactions.run(async (tx) => {
      if (!(await this.firstOrganisation.isMissing(tx))) return null;
      this.settings.check();
      return this.organisation.create(this.config.adminPassword ?? generatedPassword, tx);
    });
  }
}

/** Easy to read aloud and to type; 20 of 31 characters are 99 bits. */
function generatePassword(): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: PASSWORD_GROUPS }, group).join('-');
}
