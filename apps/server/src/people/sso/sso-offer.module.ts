import { Module } from '@nestjs/common';
import { SsoOffer } from './sso-offer.service.js';

/** What pages for people show of the area: it needs no database, unlike the rest. */
@Module({ providers: [SsoOffer], exports: [SsoOffer] })
export class SsoOfferModule {}
