import { tax } from '@shop/core';
