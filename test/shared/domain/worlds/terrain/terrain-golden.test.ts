import { createHash } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { createTerrain } from '../../../../support/worlds/terrain-fixture.ts'

const positions = [
  [0, 0],
  [-1, 7],
  [40, -33],
  [1000, -2000],
  [1_874_999, 1_874_999],
  [-1_875_000, -1_875_000],
] as const

/** SHA-256 over the ids of all blocks, from the bottom up. */
const hashColumn = ({ idAt }: ReturnType<typeof createTerrain>, cx: number, cz: number): string => {
  const hash = createHash('sha256')
  for (let y = 0; y < 256; y += 1)
    for (let z = 0; z < 16; z += 1)
      hash.update(`${Array.from({ length: 16 }, (_, x) => idAt(cx * 16 + x, y, cz * 16 + z)).join(' ')}\n`)
  return hash.digest('hex').slice(0, 32)
}
const hashAll = (seed: number, settings?: object) => {
  const terrain = createTerrain(seed, settings)
  return positions.map(([cx, cz]) => hashColumn(terrain, cx, cz))
}

// These never change, because stored worlds must continue seamlessly. Different terrain needs a new generator, terrain-2.
const golden: readonly (readonly [seed: number, hashes: readonly string[]])[] = [
  [
    0,
    [
      'd987d24d64fc39aea03c84d50661b014',
      '966f5879e0de6df2bf34bfbf61177e91',
      'a4ab4587e4e6a89b87064edb536e3100',
      'aa0a134e1bb3e11e399cb52b789e54c0',
      '228781ac9ff8324b3c0728037739834b',
      '32da3108459f294c558563b6dbfa4fac',
    ],
  ],
  [
    1,
    [
      '715573a67153ef7f156d8e82ada5d904',
      'f22a5bdb1a34e19059d905dce706faed',
      'a793a8422b0e4459aa0f1fb2b273b0bf',
      'd096dda2cf512c8f10167b25f96bedc6',
      'd986a08b173a581ddae1a963d8b3a9a9',
      'd0d46f231893bcdf43de632c88724e43',
    ],
  ],
  [
    -1,
    [
      'edf3b9a2c8032dfccffa9cd722683f23',
      '10174a3bca939fe9d15a739b7e3cb365',
      '24e473c2a8d027c596ac570e5031c0c2',
      'd9aab006031ea2c7daf74942381bac59',
      'f94b1ea873b2c88dec6beaeec3068b2a',
      '3d9c6f5417189d4a658d44ef7c617563',
    ],
  ],
  [
    2026,
    [
      'b1cd1864fc6cc9791977df13af5b0ef0',
      '78d1ed656673f15be766c9878658f35b',
      '11b7943dbc42f2d0a08b56400fb3f1fa',
      'bf703ca8c7b24bb3dcde7f419c5fc9e5',
      'de49cecc059dd38009819796d13e45c8',
      '03b0e35127af495317c4ad702acace44',
    ],
  ],
  [
    4294967297,
    [
      '959f9d1189f135a47ac1fb6fbff216d4',
      '8a8b3232dbcd76ba202d1eda4f5cd980',
      '2ee796ce6b7fc6addfa8a6fc6bb0f204',
      '2e716d3c706208e57ae8c609a4b9120d',
      '13adb74081a891bf6eaa648505c8bd85',
      'b40f1e5b25bbcec0769c9619949f5ec2',
    ],
  ],
  [
    9007199254740991,
    [
      '4a6bd9310207848ed384cd7e964c7a29',
      '18c53eaf52d6eaf86042e586ed7c6f79',
      '84480b50b3312525686605343d742638',
      '038ce2c0eca4501865bd392463f4a23e',
      'ef5ad0975176a3c96ca0794b1df7526d',
      '4cdcd1b975ddf8f2d363cc66bf19c9f1',
    ],
  ],
  [
    -9007199254740991,
    [
      'f6a9b414d7544d0fdfd43f36c45bb48a',
      'aca9ad09c1378d5ac8766c625e2315c9',
      '8d374fe463ffea0343f8ab3dfcb07426',
      '1fb3fa935a74d29f47e59f64e3abbf6c',
      '6fc3dcd7468be699fd36268c842e4b7a',
      '8e3d0cf79130e9ee3e58c146880671d1',
    ],
  ],
]

const otherSettings = {
  seaLevel: 80,
  terrain: { scale: 0.5, amplitude: 1.7 },
  biomes: { scale: 0.25, snowLine: 130 },
  caves: { width: 1.6 },
  ores: [{ block: 'marble', minY: 4, maxY: 200, veinsPerColumn: 20, veinBlocks: 30 }],
  trees: { density: 3 },
}
const goldenOfOthers: readonly string[] = [
  '9978f97148c433b56868cc218dd86941',
  'c423f915bae62cfe05268eef6eb7e724',
  'db456d9d225f62b7c1ea64fc7b7873a2',
  '61d2eb3ebf956b72ff8f0f8cbb6e61ef',
  '83153a110cebb8eb46a9be9a2bce9a97',
  '72dbbb52a850f30eb9677b92680427a8',
]

describe('terrain-1', () => {
  it.each(golden)('generates for seed %i the same blocks in every version, also at the ends of the world', (seed, hashes) => {
    expect(hashAll(seed)).toEqual(hashes)
  })

  it('generates the same blocks in every version with other settings', () => {
    expect(hashAll(5, otherSettings)).toEqual(goldenOfOthers)
  })
})
