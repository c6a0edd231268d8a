import { Module } from '@nestjs/common';
import { SsoOfferModule } from '../../people/sso/sso-offer.module.js';
import { PageService } from './page.service.js';

/** Pages that mails and redirects lead to, with a form for the API call behind each, while there is no console. */
@Module({ imports: [SsoOfferModule], providers: [PageService] })
export class PageModule {}
