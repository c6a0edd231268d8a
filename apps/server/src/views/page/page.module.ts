import { Module } from '@nestjs/common';
import { LoginMethodsModule } from '../../people/sso/login-methods.module.js';
import { PageService } from './page.service.js';

/** Pages that mails and redirects lead to, with a form for the API call behind each, while there is no console. */
@Module({ imports: [LoginMethodsModule], providers: [PageService] })
export class PageModule {}
