import { Module } from '@nestjs/common';
import { SsoOfferService } from './sso-offer.service.js';

/** The login link that pages for people show: unlike the rest of the area, it needs no database. */
@Module({ providers: [SsoOfferService], exports: [SsoOfferService] })
export class SsoOfferModule {}
