/** Korean moments that hold words of rules and questions: "오늘 밤" is not every night, nor is "다음 주" what comes next. */
const moments =
  /(?:오늘 ?밤|다음 ?주(?=.*(?:까지|(?:켜|꺼|시작해|중지해|실행해|멈춰|돌려) ?[줘주둬두놔놓])))\S*|(?:이번|다음) ?주말\S*(?: 동안)?|(?:this|next|coming) weekend(?= |$)|밤 (?=\d[\d:시반분 ]*에)|\S+까지만?(?= |$)/g

/** The words of a sentence without its moments. */
export function withoutMoments(words: readonly string[]): readonly string[] {
  return words.join(' ').replaceAll(moments, ' ').trim().split(/ +/)
}

/** "내려" and "올려" stop and start where a time is said, or nothing but a name; they scale where a count is. */
const timed = String.raw`^(?!.*개로)(.*(?:\d ?시|[한두세네섯곱덟홉열] ?시|\d분|밤|저녁|까지|동안|뒤에?|후에?)\S* .*)`

/** Turns of phrase, and how the same is said with the words that commands have. */
const turns = [
  [/^.*승인(?:을|권한?을?)? ?(?:위임|맡[겨기]).*/, '위임'],
  [new RegExp(`${timed}내[려리]\\S*$`), '$1꺼줘'],
  [new RegExp(`${timed}올[려리]\\S*$`), '$1켜줘'],
  [/^(\S+ )내려\S*$/, '$1꺼줘'],
  [/^(\S+ )올려\S*$/, '$1켜줘'],
  [/^(?:.* )?(?:뭐|무엇|뭣)(?:가|이)? ?([켜꺼])(?:져|지)(?! ?있)\S*$/, '언제 $1져'],
  [/^(?:what|which)(?: (?!is\b|are\b|will\b)\S+)* (stopped|started) yesterday\W*$/i, 'history $1 yesterday'],
  [/^(?:what|which)(?: (?!is\b|are\b|will\b)\S+)* (stopped|started) (?:today|tonight)\W*$/i, 'history $1 today'],
  [/^(?=.*어제)(?=.*(?:뭐|무엇|어떤|어느|무슨)).*꺼졌.*/, 'history stopped yesterday'],
  [/^(?=.*오늘)(?=.*(?:뭐|무엇|어떤|어느|무슨)).*꺼졌.*/, 'history stopped today'],
  [/^(?=.*어제)(?=.*(?:뭐|무엇|어떤|어느|무슨)).*켜졌.*/, 'history started yesterday'],
  [/^(?=.*오늘)(?=.*(?:뭐|무엇|어떤|어느|무슨)).*켜졌.*/, 'history started today'],
  [/^what (?:did|have|has) (?:\S+ )?(?=saved?\b)/i, 'how '],
  [/^will you /i, ''],
  [/^make sure (?:that )?(?=\S+ (?:is|are|stays?) )(\S+) \S+ /i, '$1 '],
  [/^why will /i, 'when will '],
  [/^(?:delete|remove) (?:the |my )?schedules? (?:of |for |on )?/i, 'unschedule '],
  [/^(?:what|which)\b.* ?\bmine\b.*/i, 'what did i do'],
  [/^(?:why )?(?:is|are) (\S+) (?:going|about) to /i, 'when will $1 '],
  [/^(?:will|does|do|shall|should) (?!you |i |we |every|no|an(?:y|other))/i, 'when will '],
  [/(?<!(?:언제|왜) ?)([켜꺼])(?:져요?(?=\?)|지나|질까|집니까)/, '언제 $1져'],
  [/왜 ?(?:곧 )?([켜꺼])(?:지려|질)/, '언제 $1질'],
  [/[켜꺼]져 ?있(?:어(?!서)|나|니|는지|습니까)\S*/, '상태'],
  [/(?:(?:놀고|쉬고) ?있|안 ?쓰)는 (?:거|것|게|엔드포인트)\S* ?(?:있|없|뭐|알려|보여)\S*/, '뭐 idle'],
  // "Start it and stop it 2 hours later" is a start for 2 hours.
  [
    /(?:켜고|켰다가|켜서|시작하고|실행하고|돌리고) ?(.{2,8}?) ?(?:뒤에?|후에?|있다가) ?(?:꺼|끄|중지|멈|종료)\S*/,
    '$1 동안 켜',
  ],
  [/레플리카[를은]? (?=.*(?:늘|줄|조정|바꿔|맞춰))/, ''],
  [/자동화[를는]? (?:(?:다시|다|모두|전부|전체|잠깐|잠시) )?/, '자동화 '],
  [/((?:뭐|뭘|어떤|어느|무슨)\S* .*?)(?:(?:놀고|쉬고) ?있\S*|노는)/, '$1idle'],
] as const

/** The words of a sentence, said as commands say them. */
export function inUsualWords(words: readonly string[]): readonly string[] {
  return turns.reduce<string>((said, [turn, usual]) => said.replace(turn, usual), words.join(' ')).split(/ +/)
}

/** "5개로": how many replicas there are to be. */
export function koreanCount(text: string): string {
  const [, count] = /(\d{1,3}) ?개로/.exec(text) ?? []
  return count === undefined ? '' : `to ${count}`
}
