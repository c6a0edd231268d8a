import './site.css';
import { offerCopies } from './copy';
import { offerSearch } from './search';

offerCopies();
offerSearch();
