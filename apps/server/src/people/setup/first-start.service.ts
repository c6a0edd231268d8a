import { Injectable } from '@nestjs/common';
import { isEmail } from 'class-validator';
import { randomInt } from 'node:crypto';
import { ConfigError } from '../../common/config/load-config.js';
import { type SettingProblem } from '../../common/config/setting.decorator.js';
import { Transactions } from '../../common/database/transactions.js';
import { FirstOrganisationService } from '../org/first-organisation.service.js';
import { PasswordService } from '../user/password.service.js';
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
    private readonly organisation: InitialOrganisationService,
    private readonly transactions: Transactions,
    private readonly config: SetupConfig,
    private readonly passwords: PasswordService,
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
      this.checkSettings();
      return this.organisation.create(this.config.adminPassword ?? generatedPassword, tx);
    });
  }

  /** @throws ConfigError if the settings name no valid administrator */
  private checkSettings(): void {
    const { adminEmail, adminPassword } = this.config;
    const problems: SettingProblem[] = [];
    if (!isEmail(adminEmail)) {
      problems.push({ env: 'PLUMBLINE_ADMIN_EMAIL', message: `"${adminEmail}" is not an e-mail address` });
    }
    const weakness = adminPassword === undefined ? undefined : this.passwords.problem(adminPassword, adminEmail);
    if (weakness !== undefined) {
      problems.push({ env: 'PLUMBLINE_ADMIN_PASSWORD', message: `the password ${weakness}` });
    }
    if (problems.length > 0) throw new ConfigError(problems);
  }
}

/** Easy to read aloud and to type; 20 of 31 characters are 99 bits. */
function generatePassword(): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: PASSWORD_GROUPS }, group).join('-');
}
