import { Module } from '@nestjs/common';
import { SsoOfferModule } from '../../people/sso/sso-offer.module.js';
import { PageService } from './page.service.js';

/** Pages that mails and redirects link to, each with a form for its API call, for installations without a console. */
@Module({ imports: [SsoOfferModule], providers: [PageService] })
export class PageModule {}
