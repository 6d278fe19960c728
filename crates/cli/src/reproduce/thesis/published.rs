//! The published numbers of chapters 4 to 6 of Sobeih's thesis (`docs/references.md`). The golden tests of the protocols
//! read this file, too: it uses nothing but itself.

/// A search without random numbers.
pub(crate) struct Fixed {
    /// As the thesis calls it.
    pub(crate) search: &'static str,
    pub(crate) states: u64,
    pub(crate) events: u64,
    /// How long JPF took for the same, where that was published.
    pub(crate) jpf_seconds: Option<f64>,
    pub(crate) seconds: f64,
}

/// The same search with more and more nodes.
pub(crate) struct Chain {
    pub(crate) nodes: u32,
    pub(crate) depth: u32,
    pub(crate) states: u64,
    pub(crate) events: u64,
    pub(crate) jpf_seconds: Option<f64>,
    pub(crate) seconds: f64,
}

/// The least, the most, and the mean.
pub(crate) type Range = [f64; 3];

/// A search that draws random numbers, over several seeds.
pub(crate) struct Sampled {
    /// As the thesis calls it.
    pub(crate) search: &'static str,
    pub(crate) seconds: Range,
    pub(crate) states: Range,
    pub(crate) events: Range,
}

const fn fixed(
    search: &'static str,
    states: u64,
    events: u64,
    jpf_seconds: f64,
    seconds: f64,
) -> Fixed {
    Fixed { search, states, events, jpf_seconds: Some(jpf_seconds), seconds }
}

const fn alone(search: &'static str, seconds: f64, states: u64, events: u64) -> Fixed {
    Fixed { search, states, events, jpf_seconds: None, seconds }
}

const fn chain(
    nodes: u32,
    depth: u32,
    states: u64,
    events: u64,
    jpf_seconds: f64,
    seconds: f64,
) -> Chain {
    Chain { nodes, depth, states, events, jpf_seconds: Some(jpf_seconds), seconds }
}

const fn lone(nodes: u32, depth: u32, seconds: f64, states: u64, events: u64) -> Chain {
    Chain { nodes, depth, states, events, jpf_seconds: None, seconds }
}

const fn sampled(search: &'static str, seconds: Range, states: Range, events: Range) -> Sampled {
    Sampled { search, seconds, states, events }
}

/// AODV, by counterexample: shuffled searches over 100 seeds. Stored and waiting states.
pub(crate) const TABLE_4_1: [[Sampled; 15]; 3] = [
    [
        sampled(
            "DFS-RS",
            [0.290, 14.773, 4.727],
            [117.0, 2069.0, 971.09],
            [1175.0, 30669.0, 13566.29],
        ),
        sampled(
            "BFS-ACS",
            [7.445, 25.013, 15.854],
            [10112.0, 19463.0, 15206.02],
            [14513.0, 28182.0, 21933.33],
        ),
        sampled(
            "DFS-ACS",
            [0.133, 15.577, 4.751],
            [98.0, 2130.0, 1018.12],
            [285.0, 30530.0, 13542.06],
        ),
        sampled(
            "AODV-1-BeFS-ACS",
            [0.477, 4.142, 1.246],
            [423.0, 1587.0, 727.86],
            [1900.0, 13123.0, 4898.39],
        ),
        sampled(
            "AODV-2-BeFS-ACS",
            [0.192, 16.592, 4.165],
            [157.0, 2176.0, 908.16],
            [411.0, 31310.0, 11102.91],
        ),
        sampled(
            "AODV-3-BeFS-ACS",
            [0.347, 4.278, 1.030],
            [280.0, 1594.0, 609.81],
            [1148.0, 13433.0, 3746.18],
        ),
        sampled(
            "AODV-4-BeFS-ACS",
            [0.375, 6.769, 2.322],
            [262.0, 2266.0, 1042.60],
            [1463.0, 19004.0, 9040.47],
        ),
        sampled(
            "AODV-5-BeFS-ACS",
            [0.489, 3.041, 1.611],
            [319.0, 1628.0, 1034.66],
            [2063.0, 11562.0, 6958.73],
        ),
        sampled(
            "BFS-ANS",
            [35.552, 129.806, 79.759],
            [4475.0, 8101.0, 6430.43],
            [14513.0, 28182.0, 21933.33],
        ),
        sampled(
            "DFS-ANS",
            [0.142, 14.422, 4.671],
            [94.0, 1961.0, 979.60],
            [251.0, 27416.0, 13268.05],
        ),
        sampled(
            "AODV-1-BeFS-ANS",
            [0.483, 5.351, 1.463],
            [440.0, 1542.0, 726.72],
            [1633.0, 12432.0, 4575.70],
        ),
        sampled(
            "AODV-2-BeFS-ANS",
            [0.183, 16.219, 3.899],
            [176.0, 2148.0, 888.96],
            [355.0, 29793.0, 10373.95],
        ),
        sampled(
            "AODV-3-BeFS-ANS",
            [0.343, 5.379, 1.202],
            [345.0, 1564.0, 627.70],
            [1091.0, 12868.0, 3529.72],
        ),
        sampled(
            "AODV-4-BeFS-ANS",
            [0.372, 8.237, 2.603],
            [195.0, 1978.0, 913.52],
            [1442.0, 17638.0, 8372.29],
        ),
        sampled(
            "AODV-5-BeFS-ANS",
            [0.493, 4.328, 2.207],
            [236.0, 1529.0, 947.65],
            [2008.0, 11384.0, 6778.21],
        ),
    ],
    [
        sampled(
            "DFS-RS",
            [0.169, 37.138, 9.439],
            [47.0, 3492.0, 1432.37],
            [381.0, 49553.0, 20355.26],
        ),
        sampled(
            "BFS-ACS",
            [7.819, 27.636, 17.280],
            [10056.0, 20321.0, 15928.23],
            [14428.0, 29704.0, 23030.89],
        ),
        sampled(
            "DFS-ACS",
            [0.397, 32.664, 9.342],
            [198.0, 3339.0, 1472.73],
            [1661.0, 46158.0, 20222.31],
        ),
        sampled(
            "AODV-1-BeFS-ACS",
            [0.088, 15.788, 4.034],
            [84.0, 2448.0, 866.31],
            [97.0, 30166.0, 8997.88],
        ),
        sampled(
            "AODV-2-BeFS-ACS",
            [0.210, 39.989, 6.974],
            [169.0, 3647.0, 1174.64],
            [492.0, 51171.0, 14738.62],
        ),
        sampled(
            "AODV-3-BeFS-ACS",
            [0.098, 15.726, 3.557],
            [97.0, 2486.0, 692.41],
            [124.0, 30295.0, 7218.30],
        ),
        sampled(
            "AODV-4-BeFS-ACS",
            [0.807, 11.692, 6.313],
            [688.0, 2851.0, 1855.61],
            [3933.0, 26449.0, 17422.37],
        ),
        sampled(
            "AODV-5-BeFS-ACS",
            [0.426, 8.512, 2.819],
            [345.0, 2530.0, 1158.91],
            [1613.0, 21288.0, 8679.10],
        ),
        sampled(
            "BFS-ANS",
            [36.106, 130.238, 82.658],
            [4484.0, 8370.0, 6712.08],
            [14428.0, 29704.0, 23030.89],
        ),
        sampled(
            "DFS-ANS",
            [0.238, 35.339, 8.927],
            [123.0, 3342.0, 1380.25],
            [764.0, 47306.0, 19133.05],
        ),
        sampled(
            "AODV-1-BeFS-ANS",
            [0.120, 17.817, 4.530],
            [97.0, 2399.0, 852.34],
            [97.0, 30088.0, 8772.99],
        ),
        sampled(
            "AODV-2-BeFS-ANS",
            [0.209, 35.715, 6.881],
            [174.0, 3510.0, 1175.56],
            [480.0, 48319.0, 14076.26],
        ),
        sampled(
            "AODV-3-BeFS-ANS",
            [0.125, 17.526, 3.892],
            [108.0, 2425.0, 695.41],
            [112.0, 29830.0, 7059.34],
        ),
        sampled(
            "AODV-4-BeFS-ANS",
            [1.007, 15.618, 7.591],
            [622.0, 2638.0, 1665.14],
            [3747.0, 26278.0, 16729.05],
        ),
        sampled(
            "AODV-5-BeFS-ANS",
            [0.444, 11.444, 3.752],
            [329.0, 2248.0, 1014.04],
            [1563.0, 21345.0, 8516.39],
        ),
    ],
    [
        sampled(
            "DFS-RS",
            [0.228, 13.211, 4.794],
            [80.0, 1899.0, 967.88],
            [796.0, 28678.0, 13916.49],
        ),
        sampled(
            "BFS-ACS",
            [7.395, 23.643, 16.295],
            [10140.0, 18560.0, 15181.45],
            [14662.0, 27348.0, 22231.78],
        ),
        sampled(
            "DFS-ACS",
            [0.155, 17.913, 4.435],
            [94.0, 2065.0, 960.95],
            [329.0, 28543.0, 12902.70],
        ),
        sampled(
            "AODV-1-BeFS-ACS",
            [0.089, 3.397, 1.080],
            [84.0, 1490.0, 582.81],
            [102.0, 11995.0, 4119.79],
        ),
        sampled(
            "AODV-2-BeFS-ACS",
            [0.215, 14.788, 3.353],
            [149.0, 2081.0, 802.72],
            [600.0, 28588.0, 9441.64],
        ),
        sampled(
            "AODV-3-BeFS-ACS",
            [0.096, 3.531, 0.837],
            [95.0, 1494.0, 459.12],
            [126.0, 12366.0, 2968.35],
        ),
        sampled(
            "AODV-4-BeFS-ACS",
            [0.380, 5.405, 1.911],
            [257.0, 1914.0, 907.43],
            [1480.0, 15894.0, 7844.89],
        ),
        sampled(
            "AODV-5-BeFS-ACS",
            [0.421, 1.266, 0.681],
            [303.0, 848.0, 506.62],
            [1617.0, 6022.0, 3043.93],
        ),
        sampled(
            "BFS-ANS",
            [32.710, 107.542, 73.664],
            [4378.0, 7426.0, 6163.44],
            [14662.0, 27348.0, 22231.78],
        ),
        sampled(
            "DFS-ANS",
            [0.154, 16.334, 3.973],
            [90.0, 1955.0, 877.15],
            [305.0, 27291.0, 11896.59],
        ),
        sampled(
            "AODV-1-BeFS-ANS",
            [0.119, 4.138, 1.290],
            [97.0, 1427.0, 568.49],
            [97.0, 11583.0, 3909.00],
        ),
        sampled(
            "AODV-2-BeFS-ANS",
            [0.209, 11.673, 3.085],
            [151.0, 1821.0, 796.99],
            [557.0, 24905.0, 8819.96],
        ),
        sampled(
            "AODV-3-BeFS-ANS",
            [0.125, 4.318, 0.972],
            [108.0, 1403.0, 453.03],
            [116.0, 11915.0, 2797.03],
        ),
        sampled(
            "AODV-4-BeFS-ANS",
            [0.372, 7.219, 2.159],
            [209.0, 1795.0, 810.34],
            [1467.0, 16239.0, 7457.34],
        ),
        sampled(
            "AODV-5-BeFS-ANS",
            [0.441, 1.602, 0.789],
            [240.0, 816.0, 465.90],
            [1571.0, 5990.0, 2993.95],
        ),
    ],
];

/// AODV, by counterexample, with the simulation relation. Stored states.
pub(crate) const TABLE_4_2: [[Fixed; 7]; 3] = [
    [
        fixed("BFS-AN", 4699, 26303, 103.445, 111.371),
        fixed("DFS-R", 1459, 21757, 41.249, 9.632),
        fixed("AODV-1-BeFS-AN", 489, 4169, 8.988, 1.012),
        fixed("AODV-2-BeFS-AN", 394, 1606, 5.289, 0.545),
        fixed("AODV-3-BeFS-AN", 240, 1179, 4.085, 0.363),
        fixed("AODV-4-BeFS-AN", 745, 8229, 16.865, 2.225),
        fixed("AODV-5-BeFS-AN", 588, 6025, 12.679, 1.531),
    ],
    [
        fixed("BFS-AN", 4762, 26641, 105.282, 113.905),
        fixed("DFS-R", 1502, 22364, 41.954, 10.074),
        fixed("AODV-1-BeFS-AN", 485, 4116, 9.034, 1.000),
        fixed("AODV-2-BeFS-AN", 389, 1562, 5.227, 0.529),
        fixed("AODV-3-BeFS-AN", 240, 1140, 4.041, 0.355),
        fixed("AODV-4-BeFS-AN", 2123, 25205, 49.614, 13.507),
        fixed("AODV-5-BeFS-AN", 1809, 20976, 41.507, 10.412),
    ],
    [
        fixed("BFS-AN", 4310, 25211, 94.571, 97.083),
        fixed("DFS-R", 1406, 21056, 39.703, 9.101),
        fixed("AODV-1-BeFS-AN", 477, 4039, 8.856, 0.972),
        fixed("AODV-2-BeFS-AN", 386, 1552, 5.202, 0.516),
        fixed("AODV-3-BeFS-AN", 239, 1131, 4.022, 0.344),
        fixed("AODV-4-BeFS-AN", 743, 8216, 16.902, 2.196),
        fixed("AODV-5-BeFS-AN", 581, 5806, 12.479, 1.473),
    ],
];

/// AODV, counterexample 3, AODV-1-BeFS-AN, with the simulation relation.
pub(crate) const TABLE_4_3: [Chain; 10] = [
    chain(3, 15, 74, 155, 2.278, 0.138),
    chain(4, 20, 402, 2235, 8.303, 0.789),
    chain(5, 25, 1332, 12976, 48.327, 8.323),
    chain(6, 30, 548, 3447, 19.009, 1.514),
    chain(7, 35, 628, 2605, 22.633, 1.793),
    chain(8, 40, 838, 2931, 36.588, 3.154),
    chain(9, 45, 1578, 23658, 159.922, 22.371),
    chain(10, 50, 3875, 118_119, 873.809, 247.595),
    chain(11, 55, 4294, 143_401, 1161.203, 342.591),
    chain(12, 60, 6302, 257_045, 2417.541, 834.982),
];

/// AODV, by counterexample, with hash codes.
pub(crate) const TABLE_4_5: [[Fixed; 7]; 3] = [
    [
        fixed("BFS-AN", 70308, 283_122, 1607.966, 21.880),
        fixed("DFS-R", 22908, 344_333, 1789.221, 21.365),
        fixed("AODV-1-BeFS-AN", 1346, 10878, 50.611, 1.173),
        fixed("AODV-2-BeFS-AN", 6491, 85977, 401.103, 5.706),
        fixed("AODV-3-BeFS-AN", 569, 2560, 12.129, 0.484),
        fixed("AODV-4-BeFS-AN", 4431, 45816, 232.117, 3.411),
        fixed("AODV-5-BeFS-AN", 2398, 19525, 104.798, 1.834),
    ],
    [
        fixed("BFS-AN", 70551, 284_689, 1611.868, 21.957),
        fixed("DFS-R", 23290, 350_204, 1839.625, 21.784),
        fixed("AODV-1-BeFS-AN", 1302, 10524, 48.895, 1.138),
        fixed("AODV-2-BeFS-AN", 6488, 85941, 413.173, 5.711),
        fixed("AODV-3-BeFS-AN", 530, 2284, 10.929, 0.457),
        fixed("AODV-4-BeFS-AN", 17004, 183_929, 970.930, 12.129),
        fixed("AODV-5-BeFS-AN", 15147, 159_198, 844.428, 10.791),
    ],
    [
        fixed("BFS-AN", 69073, 280_967, 1579.651, 21.552),
        fixed("DFS-R", 22767, 342_585, 1793.470, 21.286),
        fixed("AODV-1-BeFS-AN", 1291, 10414, 47.722, 1.106),
        fixed("AODV-2-BeFS-AN", 6473, 85779, 410.389, 5.670),
        fixed("AODV-3-BeFS-AN", 529, 2275, 10.853, 0.442),
        fixed("AODV-4-BeFS-AN", 4427, 45816, 236.260, 3.401),
        fixed("AODV-5-BeFS-AN", 2384, 19166, 101.402, 1.796),
    ],
];

/// AODV, counterexample 3, AODV-1-BeFS-AN, with hash codes.
pub(crate) const TABLE_4_6: [Chain; 5] = [
    chain(3, 15, 86, 134, 2.667, 0.133),
    chain(4, 20, 520, 1988, 13.300, 0.462),
    chain(5, 25, 7094, 62206, 495.295, 5.897),
    chain(6, 30, 3437, 42631, 404.387, 4.610),
    chain(7, 35, 5269, 102_833, 1242.740, 11.185),
];

/// Directed diffusion, counterexample 1. Stored and waiting states; DFS-R has no waiting ones.
pub(crate) const TABLE_5_1_FIRST: [Fixed; 8] = [
    alone("BFS-AN", 809.701, 16735, 115_698),
    alone("DFS-R", 319.243, 8306, 173_823),
    alone("DD-1-BeFS-AN", 0.563, 513, 1042),
    alone("DD-2-BeFS-AN", 0.599, 501, 1279),
    alone("DD-3-BeFS-AN", 128.526, 5638, 113_342),
    alone("DD-4-BeFS-AN", 0.309, 284, 474),
    alone("DD-5-BeFS-AN", 542.764, 14284, 175_807),
    alone("DD-6-BeFS-AN", 320.229, 12985, 95036),
];

/// The same, counterexample 2. DD-5-BeFS-AN did not end within two hours.
pub(crate) const TABLE_5_1_SECOND: [Fixed; 7] = [
    alone("BFS-AN", 6410.453, 44348, 425_181),
    alone("DFS-R", 262.659, 8027, 179_112),
    alone("DD-1-BeFS-AN", 306.545, 18063, 92820),
    alone("DD-2-BeFS-AN", 469.543, 20435, 132_382),
    alone("DD-3-BeFS-AN", 2059.233, 21670, 521_326),
    alone("DD-4-BeFS-AN", 21.882, 3574, 18373),
    alone("DD-6-BeFS-AN", 5218.443, 55336, 508_048),
];

/// Directed diffusion, counterexample 1: shuffled best-first searches over 20 seeds.
pub(crate) const TABLE_5_2_FIRST: [Sampled; 12] = [
    sampled(
        "DD-1-BeFS-ACS",
        [0.184, 0.512, 0.377],
        [204.0, 485.0, 342.00],
        [282.0, 1329.0, 869.60],
    ),
    sampled(
        "DD-2-BeFS-ACS",
        [0.176, 0.744, 0.450],
        [208.0, 481.0, 342.75],
        [233.0, 2261.0, 1193.05],
    ),
    sampled(
        "DD-3-BeFS-ACS",
        [143.693, 557.510, 371.231],
        [6606.0, 12340.0, 9834.05],
        [118_106.0, 253_210.0, 201_005.30],
    ),
    sampled("DD-4-BeFS-ACS", [0.180, 0.368, 0.271], [198.0, 355.0, 259.30], [283.0, 789.0, 501.55]),
    sampled(
        "DD-5-BeFS-ACS",
        [155.088, 1243.090, 699.670],
        [10881.0, 31324.0, 20092.55],
        [113_662.0, 395_107.0, 267_022.60],
    ),
    sampled(
        "DD-6-BeFS-ACS",
        [98.702, 107.742, 102.341],
        [18041.0, 19193.0, 18474.80],
        [96016.0, 100_840.0, 97758.20],
    ),
    sampled(
        "DD-1-BeFS-ANS",
        [0.236, 0.719, 0.507],
        [193.0, 631.0, 418.75],
        [282.0, 1231.0, 799.45],
    ),
    sampled(
        "DD-2-BeFS-ANS",
        [0.229, 1.103, 0.599],
        [195.0, 656.0, 407.15],
        [233.0, 2194.0, 1164.00],
    ),
    sampled(
        "DD-3-BeFS-ANS",
        [2.939, 489.176, 209.151],
        [600.0, 10791.0, 6605.30],
        [8319.0, 222_677.0, 128_465.25],
    ),
    sampled("DD-4-BeFS-ANS", [0.222, 0.530, 0.309], [193.0, 445.0, 257.25], [221.0, 789.0, 407.80]),
    sampled(
        "DD-5-BeFS-ANS",
        [246.009, 908.874, 539.620],
        [8226.0, 19310.0, 12997.50],
        [102_115.0, 288_012.0, 182_186.60],
    ),
    sampled(
        "DD-6-BeFS-ANS",
        [322.794, 352.894, 335.397],
        [13084.0, 14336.0, 13540.45],
        [95698.0, 101_561.0, 97930.55],
    ),
];

/// The same, counterexample 2. DD-5-BeFS-ANS did not end within 125 minutes for each seed.
pub(crate) const TABLE_5_2_SECOND: [Sampled; 11] = [
    sampled(
        "DD-1-BeFS-ACS",
        [25.197, 294.842, 160.366],
        [10057.0, 43758.0, 30520.25],
        [46536.0, 200_973.0, 139_185.10],
    ),
    sampled(
        "DD-2-BeFS-ACS",
        [131.078, 492.221, 238.152],
        [14707.0, 39644.0, 24498.70],
        [107_358.0, 255_321.0, 160_739.35],
    ),
    sampled(
        "DD-3-BeFS-ACS",
        [142.102, 6373.538, 2524.681],
        [5826.0, 46016.0, 24204.90],
        [122_964.0, 1_050_558.0, 573_942.50],
    ),
    sampled(
        "DD-4-BeFS-ACS",
        [7.140, 15.271, 12.150],
        [5944.0, 8785.0, 7152.05],
        [17828.0, 35332.0, 29264.55],
    ),
    sampled(
        "DD-5-BeFS-ACS",
        [1048.740, 7352.659, 3246.824],
        [22467.0, 79064.0, 43810.45],
        [340_947.0, 1_057_788.0, 615_142.75],
    ),
    sampled(
        "DD-6-BeFS-ACS",
        [2336.184, 2787.956, 2427.339],
        [74870.0, 83479.0, 76540.25],
        [575_905.0, 628_108.0, 587_570.10],
    ),
    sampled(
        "DD-1-BeFS-ANS",
        [92.118, 581.052, 373.419],
        [8357.0, 24759.0, 19406.85],
        [44562.0, 140_796.0, 105_669.10],
    ),
    sampled(
        "DD-2-BeFS-ANS",
        [298.220, 786.888, 400.639],
        [14680.0, 26383.0, 17972.30],
        [96617.0, 183_642.0, 119_599.00],
    ),
    sampled(
        "DD-3-BeFS-ANS",
        [0.904, 4301.194, 821.720],
        [295.0, 40114.0, 11919.45],
        [3398.0, 826_966.0, 250_433.75],
    ),
    sampled(
        "DD-4-BeFS-ANS",
        [18.846, 28.061, 23.176],
        [3415.0, 4275.0, 3709.15],
        [16153.0, 23087.0, 20537.90],
    ),
    sampled(
        "DD-6-BeFS-ANS",
        [5314.174, 6624.542, 5599.007],
        [55258.0, 66900.0, 57866.75],
        [509_282.0, 577_676.0, 527_568.95],
    ),
];

/// Directed diffusion, counterexample 1, DD-4-BeFS-AC. The node that senses is n3 in every chain.
pub(crate) const TABLE_5_3: [Chain; 9] = [
    lone(4, 15, 0.252, 247, 474),
    lone(5, 20, 14.667, 2289, 27826),
    lone(6, 25, 38.848, 3604, 51341),
    lone(7, 30, 31.679, 4503, 51649),
    lone(8, 35, 101.222, 8506, 110_540),
    lone(9, 40, 205.121, 13839, 172_912),
    lone(10, 45, 689.344, 24105, 347_204),
    lone(11, 50, 1332.193, 33422, 495_318),
    lone(12, 55, 3721.432, 51666, 867_921),
];

/// ARQ: shuffled searches over 100 seeds. Times are in milliseconds there, and in seconds here.
pub(crate) const TABLE_6_1: [Sampled; 9] = [
    sampled("DFS-RS", [0.012, 0.072, 0.04187], [10.0, 50.0, 29.35], [11.0, 121.0, 62.77]),
    sampled("BFS-ACS", [0.065, 0.085, 0.07327], [78.0, 104.0, 89.32], [109.0, 146.0, 125.34]),
    sampled("DFS-ACS", [0.014, 0.074, 0.04429], [20.0, 63.0, 41.62], [22.0, 132.0, 75.13]),
    sampled("ARQ-1-BeFS-ACS", [0.061, 0.07, 0.06296], [50.0, 53.0, 51.39], [96.0, 103.0, 99.58]),
    sampled(
        "ARQ-2-BeFS-ACS",
        [0.147, 0.154, 0.14837],
        [191.0, 192.0, 191.57],
        [471.0, 475.0, 472.96],
    ),
    sampled("BFS-ANS", [0.072, 0.086, 0.07638], [77.0, 103.0, 87.46], [109.0, 146.0, 125.34]),
    sampled("DFS-ANS", [0.02, 0.075, 0.04091], [23.0, 59.0, 40.78], [21.0, 120.0, 60.82]),
    sampled("ARQ-1-BeFS-ANS", [0.061, 0.069, 0.06263], [52.0, 55.0, 53.51], [96.0, 102.0, 99.06]),
    sampled(
        "ARQ-2-BeFS-ANS",
        [0.117, 0.125, 0.11819],
        [147.0, 149.0, 148.00],
        [336.0, 340.0, 338.02],
    ),
];

/// The time that operations take in J-Sim and in JPF, in seconds.
pub(crate) struct Breakdown {
    pub(crate) operations: [(&'static str, f64, f64); 8],
    pub(crate) others: [f64; 2],
    pub(crate) total: [f64; 2],
    /// The mean over this many seeds.
    pub(crate) events: f64,
    pub(crate) seeds: u32,
}

/// AODV, counterexample 1, BFS-ANS, with the simulation relation.
pub(crate) const TABLE_4_4: Breakdown = Breakdown {
    operations: [
        ("generate enabled events", 0.095, 18.298),
        ("shuffle enabled events", 0.013, 3.853),
        ("execute event handlers", 1.011, 10.02),
        ("compute a hash code", 0.0, 0.0),
        ("verify an assertion", 0.096, 2.9),
        ("construct the global state", 0.0, 1.627),
        ("search among visited states", 85.133, 37.069),
        ("insert among visited states", 0.229, 0.013),
    ],
    others: [0.924, 17.88],
    total: [87.501, 91.66],
    events: 22_946.0,
    seeds: 100,
};

/// AODV, counterexample 2, DFS-RS, with hash codes.
pub(crate) const TABLE_4_7: Breakdown = Breakdown {
    operations: [
        ("generate enabled events", 0.54, 59.96),
        ("shuffle enabled events", 0.065, 12.74),
        ("execute event handlers", 4.388, 84.448),
        ("compute a hash code", 1.762, 652.444),
        ("verify an assertion", 0.69, 22.51),
        ("construct the global state", 0.0, 0.0),
        ("search among visited states", 0.111, 0.184),
        ("insert among visited states", 0.104, 0.059),
    ],
    others: [4.55, 170.24],
    total: [12.21, 1002.585],
    events: 192_312.0,
    seeds: 20,
};
