import { Module } from '@nestjs/common';
import { LoginMethods } from './login-methods.service.js';

/** What pages for people show of the area: it needs no database, unlike the rest. */
@Module({ providers: [LoginMethods], exports: [LoginMethods] })
export class LoginMethodsModule {}
