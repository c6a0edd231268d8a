import { Injectable } from '@nestjs/common';
import { isEmail } from 'class-validator';
import { ConfigError } from '../../common/config/load-config.js';
import { type SettingProblem } from '../../common/config/setting.decorator.js';
import { PasswordService } from '../user/password.service.js';
import { SetupConfig } from './setup.config.js';

/** The rules for the settings that name the first administrator. They apply only when that user is created. */
@Injectable()
export class AdministratorSettingsService {
  constructor(
    private readonly passwords: PasswordService,
    private readonly config: SetupConfig,
  ) {}

  /** @throws ConfigError if the settings name no valid administrator */
  check(): void {
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
